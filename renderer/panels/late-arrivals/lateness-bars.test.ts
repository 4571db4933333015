import { expect, test } from "vitest";
import { barPercent, bucketLabel, fillGaps } from "./lateness-bars.ts";

test.each([
  [0, 1_000, "0 – 1 s"],
  [500, 1_500, "500 ms – 1500 ms"],
  [60_000, 3_600_000, "1 m – 1 h"],
  [86_400_000, null, "1 d and more"],
])("names the bucket from %s to %s ms by whole units", (fromMs, toMs, label) => {
  expect(bucketLabel({ fromMs, toMs })).toBe(label);
});

test("a bar of the most rows is full, one of none is empty, one of a hundredth can be seen", () => {
  expect(barPercent(10_000, 10_000)).toBe(100);
  expect(barPercent(0, 10_000)).toBe(0);
  expect(barPercent(0, 0)).toBe(0);
  expect(barPercent(100, 10_000)).toBeGreaterThan(40);
});

test("shows a stretch that no row fell into as empty, also before the first bucket", () => {
  const first = { fromMs: 1_000, toMs: 2_000, rows: 4 };
  const second = { fromMs: 2_000, toMs: 5_000, rows: 3 };
  const last = { fromMs: 60_000, toMs: null, rows: 1 };
  expect(fillGaps([first, second, last])).toEqual([
    { fromMs: 0, toMs: 1_000, rows: 0 },
    first,
    second,
    { fromMs: 5_000, toMs: 60_000, rows: 0 },
    last,
  ]);
});
