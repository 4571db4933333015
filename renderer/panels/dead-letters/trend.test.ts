import { expect, test } from "vitest";
import { TREND_MINUTES, trendOf } from "./trend.ts";

test("a trend has every minute, also the empty ones; the newest is last, and what is older or newer is not lost in it", () => {
  const trend = trendOf([
    { minutesAgo: 0, count: 4 },
    { minutesAgo: -1, count: 1 },
    { minutesAgo: 2, count: 7 },
    { minutesAgo: TREND_MINUTES, count: 99 },
  ]);
  expect(trend).toHaveLength(TREND_MINUTES);
  expect(trend.slice(-3)).toEqual([7, 0, 5]);
  expect(trend.slice(0, -3).every((count) => count === 0)).toBe(true);
});
