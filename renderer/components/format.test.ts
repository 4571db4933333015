import { expect, test } from "vitest";
import { formatBytes, formatCount, formatDuration, formatRate, formatSigned, formatUtc } from "./format.ts";

test.each([
  [0, "0.00 s"],
  [180, "0.18 s"],
  [-970, "−0.97 s"],
  [47_000, "47 s"],
  [59_600, "1 m"],
  [158_000, "2 m 38 s"],
  [3_600_000, "1 h"],
  [100_000_000, "1 d 3 h"],
])("shows %d ms with two units at most", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test("shows large counts with separators, rates with one decimal, bytes in kB and MB", () => {
  expect(formatCount(1_284_906)).toBe("1,284,906");
  expect(formatRate(47.25)).toBe("47.3/s");
  expect(formatRate(0)).toBe("0.0/s");
  expect([formatBytes(0), formatBytes(999), formatBytes(1_500), formatBytes(213_000_000)]).toEqual([
    "0 B",
    "999 B",
    "1.5 kB",
    "213.0 MB",
  ]);
});

test("signs byte changes with plus and minus, so that colour is not the only mark", () => {
  expect([formatSigned(1_204), formatSigned(-14), formatSigned(0)]).toEqual(["+1,204", "−14", "0"]);
});

test("shows the exact moment in UTC", () => {
  expect(formatUtc(Date.UTC(2026, 10, 30, 14, 6, 51, 220))).toBe("2026-11-30 14:06:51.220 UTC");
});
