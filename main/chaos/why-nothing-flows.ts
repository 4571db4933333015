import type { AppStatus } from "#main/contract/app-status.ts";
import type { KillableWorker } from "#main/contract/kill-card.ts";

/**
 * Why a worker will certainly not come to its work now, as a sentence; null where it may. A query worker needs no records.
 */
export function whyNothingFlows(status: AppStatus, worker: KillableWorker): string | null {
  const { ingest, pipeline, isSourceStopped } = status;
  const isStill = isSourceStopped || ingest?.connection.state === "paused";
  if (worker === "query" || !isStill) return null;
  const isDrained = (pipeline?.checkpoint ?? 0) >= (ingest?.head ?? 0);
  // What is in the log already still gives the pipeline something to do.
  if (worker === "pipeline" && !isDrained) return null;
  const [state, remedy] = isSourceStopped ? ["stopped", "start"] : ["paused", "resume"];
  return `the source is ${state}, so nothing was in flight and nothing was killed; ${remedy} it and kill again`;
}

/** What may have kept records away, to stand behind "no record came"; empty where the source was receiving. */
export function sourceTrouble({ ingest }: AppStatus): string {
  if (ingest === null) return " (the source has not started)";
  const { connection } = ingest;
  if ("reason" in connection) return ` (the source: ${connection.reason})`;
  if (connection.state !== "open") return ` (the source is ${connection.state})`;
  return connection.receiving ? "" : " (the source is connected and silent)";
}
