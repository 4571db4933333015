import type { IngestTelemetry } from "#pipeline/protocol/telemetry.ts";

/** A live feed that gave nothing for this long at the start is told to the user (issue "Start"). */
export const REACH_LIMIT_MS = 10_000;

/** Whether the live feed can be reached, as far as known. */
export type Reach = {
  readonly sinceMs: number;
  /** True once a record came in this run. */
  readonly reached: boolean;
  /** Why it cannot be reached, a sentence; null while unknown or reached. */
  readonly unreachable: string | null;
};

/** Nothing known yet; times are monotonic. */
export function startReach(nowMs: number): Reach {
  return { sinceMs: nowMs, reached: false, unreachable: null };
}

/** One look at ingest's newest telemetry. */
export function nextReach(reach: Reach, nowMs: number, ingest: IngestTelemetry | null): Reach {
  if (isReceiving(ingest)) return { sinceMs: nowMs, reached: true, unreachable: null };
  // Later losses of the connection are normal and have their own state; this is about the start only.
  if (reach.reached || ingest?.connection.state === "paused") return { ...reach, sinceMs: nowMs };
  // A source that stopped for good will not come by waiting.
  const isFailed = ingest?.connection.state === "failed";
  if (!isFailed && nowMs - reach.sinceMs < REACH_LIMIT_MS) return reach;
  return { ...reach, unreachable: describe(ingest) };
}

function isReceiving(ingest: IngestTelemetry | null): boolean {
  return ingest !== null && ingest.connection.state === "open" && ingest.connection.receiving;
}

function describe(ingest: IngestTelemetry | null): string {
  const connection = ingest?.connection;
  if (connection === undefined) return "The ingest worker did not start.";
  if (connection.state === "backing-off" || connection.state === "failed") return sentence(connection.reason);
  if (connection.state === "open") return "The connection is open, but nothing was received for 10 s.";
  return "No answer for 10 s.";
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
