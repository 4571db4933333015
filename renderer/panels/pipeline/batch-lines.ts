import type { LakeStep, LakeStepsTelemetry } from "#pipeline/protocol/lake-steps.ts";

/** A line of "last batches": something that was done, or how much of it this window did not see. */
export type BatchLine =
  | { readonly kind: "step"; readonly key: string; readonly beganMs: number; readonly step: LakeStep }
  | {
      readonly kind: "missed";
      readonly key: string;
      /** Commits and seals between the lines beside it; null where the process that counted them is gone. */
      readonly count: number | null;
      /** Offsets that they held; null where nothing tells. */
      readonly fromOffset: number | null;
      readonly toOffset: number | null;
    };

/** Lines kept; live that is twenty seconds, and every one of them can be asked of the lake by SQL. */
export const MAX_BATCH_LINES = 100;

/** What came of merging a frame: all lines, newest last, and the steps that were not known before. */
export type MergedLines = { readonly lines: readonly BatchLine[]; readonly newSteps: readonly LakeStep[] };

/** Adds what a frame tells and says how much lies between; the same array where nothing is new. */
export function mergeSteps(
  lines: readonly BatchLine[],
  { beganMs, newest }: LakeStepsTelemetry,
): MergedLines {
  const keyOf = (step: LakeStep): string => `${beganMs}-${step.nth}`;
  const told = new Map(newest.map((step) => [keyOf(step), step]));
  let isChanged = false;
  const updated = lines.map((line) => {
    const again = line.kind === "step" ? told.get(line.key) : undefined;
    if (line.kind !== "step" || again === undefined || isSame(line.step, again)) return line;
    isChanged = true;
    return { ...line, step: again };
  });
  const known = new Set(lines.map(({ key }) => key));
  const newSteps = newest.filter((step) => !known.has(keyOf(step)));
  const [first] = newSteps;
  if (first === undefined) return { lines: isChanged ? updated : lines, newSteps };
  const missed = missedBefore(updated, first, beganMs);
  const added = newSteps.map((step): BatchLine => ({ kind: "step", key: keyOf(step), beganMs, step }));
  return { lines: [...updated, ...missed, ...added].slice(-MAX_BATCH_LINES), newSteps };
}

/** Maintenance is told with the batch before it, when that may have been told already. */
function isSame(known: LakeStep, again: LakeStep): boolean {
  return known.kind !== "batch" || again.kind !== "batch" || again.upkeep?.rows === known.upkeep?.rows;
}

function missedBefore(lines: readonly BatchLine[], first: LakeStep, beganMs: number): readonly BatchLine[] {
  const last = lines.at(-1);
  // What was before this window opened was not missed by anybody.
  if (last?.kind !== "step") return [];
  const isSameProcess = last.beganMs === beganMs;
  const count = first.nth - (isSameProcess ? last.step.nth : 0) - 1;
  const hole = holeBefore(lines, first);
  if (count === 0 && hole === null) return [];
  const { fromOffset, toOffset } = hole ?? { fromOffset: null, toOffset: null };
  const key = `missed-${beganMs}-${first.nth}`;
  return [{ kind: "missed", key, count: isSameProcess ? count : null, fromOffset, toOffset }];
}

/** Offsets between the last batch that is listed and the next one; null where they join, or nothing tells. */
function holeBefore(
  lines: readonly BatchLine[],
  next: LakeStep,
): { readonly fromOffset: number; readonly toOffset: number } | null {
  const last = lines
    .map((line) => (line.kind === "step" && line.step.kind === "batch" ? line.step : null))
    .findLast((step) => step !== null);
  if (last === undefined || last === null || next.kind !== "batch") return null;
  const fromOffset = last.toOffset + 1;
  return next.fromOffset > fromOffset ? { fromOffset, toOffset: next.fromOffset - 1 } : null;
}
