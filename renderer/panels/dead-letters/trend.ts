/** How far back a group's trend looks. */
export const TREND_MINUTES = 30;

/** Counts per minute, oldest first, from counts by how many minutes ago they were received. */
export function trendOf(
  counted: readonly { readonly minutesAgo: number; readonly count: number }[],
): readonly number[] {
  const perMinute = Array.from({ length: TREND_MINUTES }, () => 0);
  for (const { minutesAgo, count } of counted) {
    // A record received after the status that names "now" belongs to this minute.
    const at = TREND_MINUTES - 1 - Math.max(0, minutesAgo);
    if (at >= 0 && at < TREND_MINUTES) perMinute[at] = (perMinute[at] ?? 0) + count;
  }
  return perMinute;
}
