import type { AppStatus } from "#main/contract/app-status.ts";
import type { KillableWorker } from "#main/contract/kill-card.ts";
import type { QueryResponse } from "#pipeline/protocol/query-messages.ts";

type Snapshots = Extract<QueryResponse, { readonly ask: "snapshots" }>["snapshots"];

/** Pid of a worker that runs; null while it is away. */
export function pidOf({ workers }: AppStatus, worker: KillableWorker): number | null {
  const phase = workers.find(({ name }) => name === worker)?.phase;
  return phase?.state === "running" ? phase.pid : null;
}

/** Newest offset that could be committed without anything new being received (ingest) or handled (pipeline). */
export function newestOffset({ ingest, pipeline }: AppStatus, worker: KillableWorker): number {
  const checkpoint = pipeline?.checkpoint ?? 0;
  return worker === "ingest" ? Math.max(checkpoint, ingest?.head ?? 0) : checkpoint;
}

/**
 * First offset that surely came over a connection made after `before`: what lay in the socket of the killed feed is not its
 * successor's. Null while ingest has no new connection.
 */
export function reconnectedHead(before: AppStatus, now: AppStatus): number | null {
  const isNew = (now.ingest?.connections ?? 0) > (before.ingest?.connections ?? 0);
  return isNew && now.ingest?.connection.state === "open" ? now.ingest.head + 1 : null;
}

/** Time of the first commit since `sinceMs` that holds offset `from` or one behind it; null without one. */
export function commitAfter(snapshots: Snapshots, sinceMs: number, from: number): number | null {
  const times = snapshots
    .filter(({ toOffset }) => toOffset !== null && toOffset >= from)
    .map(({ commitTimeMs }) => commitTimeMs)
    .filter((atMs) => atMs >= sinceMs);
  return times.length === 0 ? null : Math.min(...times);
}
