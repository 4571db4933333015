import type { AppStatus } from "./app-status.ts";

/** Liveness signals in a row without an edit between them that make a source "alive, no edits": a busy stream never has so many. */
const SIGNALS_WITHOUT_EDIT = 3;
/** Without any record for longer than this, "receiving" would claim what nobody sees; sources send liveness signals, too. */
const QUIET_MS = 15_000;

/**
 * What an open connection brings. `edits`: records came just now. `no-edits`: only records that are filtered out (canaries)
 * come, so the source is alive but time does not move on (C43). `quiet`: nothing came for a while. `nothing-yet`: nothing
 * came since it was opened.
 */
export type SourceActivity =
  | { readonly kind: "edits" | "nothing-yet" }
  | { readonly kind: "no-edits"; readonly sinceMs: number | null }
  | { readonly kind: "quiet"; readonly sinceMs: number };

type Seen = Pick<AppStatus, "ingest" | "pipeline" | "atMs" | "isSourceStopped">;

/** Null where no connection is open. */
export function sourceActivity({ ingest, pipeline, atMs, isSourceStopped }: Seen): SourceActivity | null {
  if (isSourceStopped || ingest === null || ingest.connection.state !== "open") return null;
  if (!ingest.connection.receiving) return { kind: "nothing-yet" };
  const { lastRecordMs } = ingest;
  if (lastRecordMs !== null && atMs - lastRecordMs > QUIET_MS)
    return { kind: "quiet", sinceMs: lastRecordMs };
  if (pipeline !== null && pipeline.filteredSinceEdit >= SIGNALS_WITHOUT_EDIT)
    return { kind: "no-edits", sinceMs: pipeline.lastEditMs };
  return { kind: "edits" };
}

/**
 * Rows of open windows that wait for a newer event: nothing but a later event time settles them, never the clock. Zero while
 * edits come, since then every open window is only not over yet.
 */
export function waitingWindowRows(status: Seen): number {
  if (status.pipeline === null || sourceActivity(status)?.kind === "edits") return 0;
  return status.pipeline.openWindowRows;
}
