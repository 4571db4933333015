import type { LatenessBucket } from "./late-arrivals-plan.ts";

const UNITS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1_000, "s"],
] as const;

/** A bound in its largest whole unit: 2000 → `2 s`, 300000 → `5 m`, 500 → `500 ms`. */
function boundLabel(ms: number): string {
  const [size, name] = UNITS.find(([unit]) => ms >= unit && ms % unit === 0) ?? [1, "ms"];
  return ms === 0 ? "0" : `${ms / size} ${name}`;
}

/** `0 – 1 s`, `1 h and more`: from is inside, to is not. */
export function bucketLabel({ fromMs, toMs }: Pick<LatenessBucket, "fromMs" | "toMs">): string {
  return toMs === null ? `${boundLabel(fromMs)} and more` : `${boundLabel(fromMs)} – ${boundLabel(toMs)}`;
}

/** Length of a bar in percent. Logarithmic: late rows are one in a hundred and would be invisible beside the punctual ones. */
export function barPercent(rows: number, most: number): number {
  return rows <= 0 || most <= 0 ? 0 : (100 * Math.log1p(rows)) / Math.log1p(most);
}

/** The buckets with one of no rows wherever two of them do not touch: the histogram keeps no empty ones. */
export function fillGaps(buckets: readonly LatenessBucket[]): readonly LatenessBucket[] {
  return buckets.flatMap((bucket, at) => {
    const endMs = at === 0 ? 0 : (buckets[at - 1]?.toMs ?? null);
    if (endMs === null || endMs >= bucket.fromMs) return [bucket];
    return [{ fromMs: endMs, toMs: bucket.fromMs, rows: 0 }, bucket];
  });
}
