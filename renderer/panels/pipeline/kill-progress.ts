import type { AppStatus } from "#main/contract/app-status.ts";
import type { KillableWorker } from "#main/contract/kill-card.ts";

/** A kill that was ordered and has no card yet. `startedMs` is by the status's own clock. */
export type RunningKill = { readonly worker: KillableWorker; readonly startedMs: number };

/** What a kill goes through, in order. */
export const KILL_STEPS = ["stop inside its work", "kill", "at work again", "verify the lake"] as const;

/** When the worker last did its work, as the status tells it. */
function workedAtMs(worker: KillableWorker, { ingest, pipeline }: AppStatus): number {
  if (worker === "query") return Number.POSITIVE_INFINITY;
  return (worker === "ingest" ? ingest?.lastRecordMs : pipeline?.commitTimeMs) ?? 0;
}

/** Index of the step under way, as far as the status shows it. */
export function killStep({ worker, startedMs }: RunningKill, status: AppStatus | null): number {
  const told = status?.workers.find(({ name }) => name === worker);
  const diedMs = told?.lastExit?.atMs ?? 0;
  if (status === null || told === undefined || diedMs < startedMs) return 0;
  return told.phase.state === "running" && workedAtMs(worker, status) > diedMs ? 3 : 2;
}
