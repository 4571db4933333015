import type { WorkerName } from "#pipeline/protocol/worker-messages.ts";

/** Workers that the window may kill. */
export type KillableWorker = Exclude<WorkerName, "feed">;

/**
 * What came of one kill. `pass` only where the worker was stopped inside its work, killed there, came back, committed again,
 * and `verify` found nothing lost and nothing doubled. `inconclusive` where the place was not reached, nothing was in flight,
 * or `verify` cannot tell; never a pass.
 */
export type KillCard = {
  readonly worker: KillableWorker;
  readonly verdict: "pass" | "fail" | "inconclusive";
  /** Why, in one sentence for the user. */
  readonly reason: string;
  /** Named place where it was stopped; null for the query worker, which has none and is killed as it is. */
  readonly failpoint: string | null;
  /** Offsets in flight at that moment; null where the worker did not say. */
  readonly inFlight: { readonly fromOffset: number; readonly toOffset: number } | null;
  readonly pid: number | null;
  readonly killedAtMs: number | null;
  /** From the kill to the next commit of new records (query: to its next answer), ms; null = not within the limit. */
  readonly recoveryMs: number | null;
  /** Snapshot before the kill and the one that was verified. */
  readonly snapshotBefore: number;
  readonly snapshotAfter: number | null;
  /** Rows of bronze before and after. */
  readonly rowsBefore: number | null;
  readonly rowsAfter: number | null;
  /** Counted by `verify`: records that are in no table, and ids or offsets that are in one twice; null = could not be counted. */
  readonly lost: number | null;
  readonly doubled: number | null;
};
