import { expect, test } from "vitest";
import { GrowingMark } from "./growing-mark.ts";

test("a new process that did nothing leaves the mark where it was, and its first step makes it grow", () => {
  const mark = new GrowingMark();
  expect([0, 500_000, 0, 1, 7, 0, 0, 2].map((count) => mark.take(count))).toEqual([
    0, 500_000, 500_000, 500_001, 500_007, 500_007, 500_007, 500_009,
  ]);
});
