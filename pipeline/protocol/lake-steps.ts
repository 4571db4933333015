/** What became of a batch's records, by the ledger: `bronze` holds `late`, the others left the way before it. */
export type BatchCounts = {
  readonly bronze: number;
  readonly late: number;
  readonly deadLetters: number;
  readonly duplicates: number;
  readonly filtered: number;
  /** Rows of gold windows that were written or replaced. */
  readonly gold: number;
};

/** Maintenance that is no snapshot of its own: it stands beside the batch that it followed. */
export type Upkeep = {
  readonly did: "expire" | "prune" | "sweep";
  readonly rows: number;
  readonly files: number;
};

/** A batch that was published. `nth` counts the steps of this process from 1. */
export type BatchStep = {
  readonly kind: "batch";
  readonly nth: number;
  readonly snapshotId: number;
  readonly commitTimeMs: number;
  readonly mode: "live" | "catching-up";
  readonly fromOffset: number;
  readonly toOffset: number;
  readonly counts: BatchCounts;
  /** What the writing thread needed to publish it, ms. */
  readonly commitMs: number;
  /** Commit time − received time of its newest record, ms. */
  readonly freshnessMs: number;
  /** The newest maintenance between this batch and the next. */
  readonly upkeep: Upkeep | null;
};

/** Hot rows of all tables were moved to Parquet. */
export type SealStep = {
  readonly kind: "seal";
  readonly nth: number;
  readonly snapshotId: number;
  readonly commitTimeMs: number;
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
  readonly commitMs: number;
};

/** One line of "last batches". */
export type LakeStep = BatchStep | SealStep;

/** Steps that a frame carries: eight times what a quarter of a second brings while catching up. */
export const MAX_TOLD_STEPS = 20;

/**
 * The newest steps of one process, oldest first, so that a lost frame loses none: `nth` says how many a reader missed, and
 * `beganMs` which process counts. A step may be told again with more in it.
 */
export type LakeStepsTelemetry = {
  readonly beganMs: number;
  readonly newest: readonly LakeStep[];
};
