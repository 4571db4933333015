import type { WorkerStatus } from "#main/contract/app-status.ts";
import type { LakeStep } from "#pipeline/protocol/lake-steps.ts";

/** Something that happened, to be drawn over a chart. `key` names it for ever. */
export type ChartMark =
  | {
      readonly kind: "exit";
      readonly key: string;
      readonly atMs: number;
      readonly worker: WorkerStatus["name"];
      /** How the process ended, in words. */
      readonly how: string;
      /** When its next process was up; null while it is away. */
      readonly backAtMs: number | null;
    }
  | {
      readonly kind: "seal" | "late";
      readonly key: string;
      readonly atMs: number;
      readonly snapshotId: number;
      /** Rows moved to Parquet, or late arrivals. */
      readonly count: number;
    };

/** What marks are made of. */
export type MarkSource = {
  readonly workers: readonly WorkerStatus[];
  /** Commits and seals that were not known before. */
  readonly newSteps: readonly LakeStep[];
};

/** Marks remembered; a worker's restart budget allows far fewer ends in ten minutes, seals come every few of them. */
const MAX_MARKS = 100;
/** A burst: a batch with so many late arrivals, and they are so much of it. One or two late edits are everyday. */
const BURST_RECORDS = 10;
const BURST_SHARE = 0.25;
/** One burst goes over several batches. */
const SAME_BURST_MS = 10_000;

/** Adds the marks of what is new; the same array where nothing is. */
export function withNewMarks(
  known: readonly ChartMark[],
  { workers, newSteps }: MarkSource,
): readonly ChartMark[] {
  let marks = known;
  for (const worker of workers) marks = withExit(marks, worker);
  for (const step of newSteps) marks = withStep(marks, step);
  return marks === known ? known : marks.toSorted((a, b) => a.atMs - b.atMs).slice(-MAX_MARKS);
}

function withExit(
  marks: readonly ChartMark[],
  { name, lastExit, phase }: WorkerStatus,
): readonly ChartMark[] {
  if (lastExit === null) return marks;
  const key = `exit-${name}-${lastExit.atMs}`;
  const backAtMs = phase.state === "running" && phase.sinceMs >= lastExit.atMs ? phase.sinceMs : null;
  const known = marks.find((mark) => mark.key === key);
  if (known?.kind === "exit" && known.backAtMs === null && backAtMs !== null)
    return marks.map((mark) => (mark === known ? { ...known, backAtMs } : mark));
  if (known !== undefined) return marks;
  const { atMs, how } = lastExit;
  return [...marks, { kind: "exit", key, atMs, worker: name, how, backAtMs }];
}

function withStep(marks: readonly ChartMark[], step: LakeStep): readonly ChartMark[] {
  const { snapshotId, commitTimeMs: atMs } = step;
  if (step.kind === "seal")
    return [...marks, { kind: "seal", key: `seal-${snapshotId}`, atMs, snapshotId, count: step.rows }];
  const { late, bronze } = step.counts;
  if (late < BURST_RECORDS || late < bronze * BURST_SHARE) return marks;
  const isSame = marks.some((mark) => mark.kind === "late" && atMs - mark.atMs < SAME_BURST_MS);
  return isSame
    ? marks
    : [...marks, { kind: "late", key: `late-${snapshotId}`, atMs, snapshotId, count: late }];
}
