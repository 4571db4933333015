import { expect, test } from "vitest";
import { RateWindow } from "./rate-window.ts";

test("the rate is over the last 5 s of true time, however often it is asked for", () => {
  const rate = new RateWindow();
  let last = 0;
  for (let atMs = 0; atMs <= 20_000; atMs += 10) last = rate.perSecond(atMs / 10, atMs);
  expect(last).toBeCloseTo(100, 0);
  for (let atMs = 20_000; atMs <= 26_000; atMs += 250) last = rate.perSecond(2_000, atMs);
  expect(last).toBe(0);
});

test("a first look has no rate yet", () => {
  const rate = new RateWindow();
  expect(rate.perSecond(1_000_000, 5)).toBe(0);
  expect(rate.perSecond(1_000_050, 505)).toBe(100);
});
