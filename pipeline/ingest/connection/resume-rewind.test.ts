import { expect, test } from "vitest";
import { ResumeRewind } from "./resume-rewind.ts";

test("stays at the setting while connections deliver and move on, or deliver nothing", () => {
  const rewind = new ResumeRewind();
  expect(rewind.next(10_000, null, false)).toBe(10_000);
  expect(rewind.next(10_000, 500, true)).toBe(10_000);
  expect(rewind.next(10_000, 500, false)).toBe(10_000);
  expect(rewind.next(10_000, 501, true)).toBe(10_000);
});

test("is halved while a connection delivers only repeats, never below 1 ms, and grows back afterwards", () => {
  const rewind = new ResumeRewind();
  rewind.next(10_000, 500, true);
  expect([1, 2, 3].map(() => rewind.next(10_000, 500, true))).toEqual([5_000, 2_500, 1_250]);
  expect(rewind.next(10_000, 600, true)).toBe(2_500);
  expect(rewind.next(10_000, 700, true)).toBe(5_000);
  expect(rewind.next(10_000, 800, true)).toBe(10_000);
  let last = 0;
  for (let i = 0; i < 60; i += 1) last = rewind.next(10_000, 800, true);
  expect(last).toBe(1);
});
