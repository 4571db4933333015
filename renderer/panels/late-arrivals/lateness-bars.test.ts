import { expect, test } from "vitest";
import { barPercent, bucketLabel } from "./lateness-bars.ts";

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
