import { expect, test } from "vitest";
import { ClockWatch, NO_CLOCK_MEMORY } from "./clock-watch.ts";
import { record } from "../validate/events.test-support.ts";

test("a clock is suspected when over half of the last 100 records lie in the future, and no longer when they do not", () => {
  let watch = new ClockWatch(NO_CLOCK_MEMORY);
  const see = (isInFuture: boolean): void => {
    watch.see(record("{}"), isInFuture);
    watch = new ClockWatch(watch.memory()); // a restart between any two records
  };
  for (let count = 0; count < 50; count += 1) see(true);
  expect(watch.isWrong()).toBe(false);
  see(true);
  expect(watch.isWrong()).toBe(true);
  for (let count = 0; count < 49; count += 1) see(false);
  expect(watch.isWrong()).toBe(true);
  see(false);
  expect(watch.isWrong()).toBe(false);
  expect(watch.memory().verdicts.length).toBe(100);
});

test("a server offset over five minutes is a wrong clock by itself", () => {
  const watch = new ClockWatch(NO_CLOCK_MEMORY);
  watch.see(record("{}", { serverOffsetMs: -300_001 }), false);
  expect(watch.isWrong()).toBe(true);
  watch.see(record("{}", { serverOffsetMs: 300_000 }), false);
  expect(watch.isWrong()).toBe(false);
});
