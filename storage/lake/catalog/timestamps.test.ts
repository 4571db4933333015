import fc from "fast-check";
import { expect, test } from "vitest";
import { formatTimestamp, parseTimestamp } from "./timestamps.ts";

test("writes an instant as DuckLake does", () => {
  expect(formatTimestamp(Date.UTC(2026, 10, 30, 20, 40, 45) * 1_000 + 230_758)).toBe(
    "2026-11-30 20:40:45.230758+00",
  );
  expect(formatTimestamp(Date.UTC(2026, 10, 30) * 1_000 + 500_000)).toBe("2026-11-30 00:00:00.5+00");
  expect(formatTimestamp(0)).toBe("1970-01-01 00:00:00+00");
  expect(formatTimestamp(-1)).toBe("1969-12-31 23:59:59.999999+00");
});

test("reads every instant back exactly, whatever was read before", () => {
  fc.assert(
    fc.property(
      fc.array(fc.maxSafeInteger()),
      fc.array(fc.integer({ min: 0, max: 3_000_000 })),
      (anywhere, near) => {
        for (const micros of [...anywhere, ...near])
          expect(parseTimestamp(formatTimestamp(micros))).toBe(micros);
      },
    ),
  );
});

test("refuses any other text", () => {
  expect(parseTimestamp("2026-11-30 00:00:00+00")).toBe(Date.UTC(2026, 10, 30) * 1_000);
  for (const text of [
    "",
    "2026-11-30",
    "2026-13-30 00:00:00+00",
    "2026-11-30 00:00:00",
    "2026-11-30 00:00:00.1234567+00",
    "2026-11-30 00:00:00x+00",
  ]) {
    expect(() => parseTimestamp(text)).toThrow(/time/);
  }
});
