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
  const added = newSteps.map(
    (step): BatchLine => ({ kind: "step", key: keyOf(step), beganMs, step }),
  );
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
  const end = lines.findLast((line) => line.kind === "step" && line.step.kind === "batch");
  const lastOffset = end?.kind === "step" && end.step.kind === "batch" ? end.step.toOffset : null;
  const hasHole = lastOffset !== null && first.kind === "batch" && first.fromOffset > lastOffset + 1;
  if (count === 0 && !hasHole) return [];
  return [
    {
      kind: "missed",
      key: `missed-${beganMs}-${first.nth}`,
      count: isSameProcess ? count : null,
      fromOffset: hasHole ? lastOffset + 1 : null,
      toOffset: hasHole ? first.fromOffset - 1 : null,
    },
  ];
}
