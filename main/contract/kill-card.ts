import type { WorkerName } from "#pipeline/protocol/worker-messages.ts";

/** Workers that the window may kill: all of them; the feed exists in the demo only. */
export const KILLABLE_WORKERS = ["ingest", "pipeline", "query", "feed"] as const satisfies WorkerName[];

/** One of {@link KILLABLE_WORKERS}. */
export type KillableWorker = (typeof KILLABLE_WORKERS)[number];

/** Offsets of the log, both inclusive. */
export type OffsetRange = { readonly fromOffset: number; readonly toOffset: number };

/**
 * What came of one kill. `pass` only where the worker was stopped inside its work, killed there, came back, committed again,
 * and `verify` found nothing lost and nothing doubled. `inconclusive` where the place was not reached, nothing was in flight,
 * or `verify` cannot tell; never a pass.
 */
export type KillCard = {
  /** Counts the kills of this run of the app, from 1. */
  readonly nth: number;
  /** When it was ordered. */
  readonly startedMs: number;
  readonly worker: KillableWorker;
  readonly verdict: "pass" | "fail" | "inconclusive";
  /** Why, in one sentence for the user. */
  readonly reason: string;
  /** Named place where it was stopped; null for query and feed, which have none and are killed as they are. */
  readonly failpoint: string | null;
  /** Offsets in flight at that moment; null where the worker did not say. */
  readonly inFlight: OffsetRange | null;
  readonly pid: number | null;
  readonly killedAtMs: number | null;
  /** From the kill to the moment when its next process was up, ms; seen by main, so up to a look late. */
  readonly backMs: number | null;
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

/** What a kill that runs has reached, in order; what follows the last one is the verification and then the card. */
export const KILL_STEPS = ["asked", "armed", "stopped", "killed", "back", "committed"] as const;

/** One of {@link KILL_STEPS}; query and feed go from `asked` to `killed`. */
export type KillStep = (typeof KILL_STEPS)[number];

/** A kill under way. */
export type KillProgress = Pick<
  KillCard,
  "nth" | "startedMs" | "worker" | "failpoint" | "inFlight" | "pid" | "killedAtMs" | "backMs" | "recoveryMs"
> & {
  readonly reached: KillStep;
};

/** Everything a window shows of kills in this data folder. */
export type KillState = {
  readonly running: KillProgress | null;
  /** Newest first, at most {@link MAX_KILL_CARDS}. */
  readonly cards: readonly KillCard[];
};

/** Cards that are kept. */
export const MAX_KILL_CARDS = 10;
