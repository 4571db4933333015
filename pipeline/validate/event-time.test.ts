import fc from "fast-check";
import { expect, test } from "vitest";
import { parseIsoMicros } from "./event-time.ts";

const MINUTE = "2026-11-30T12:34";
const KNOWN = `${MINUTE}:56Z`;
const OTHER = "2025-01-01T00:00:00Z";

const piece = fc.constantFrom(
  ":",
  ".",
  "Z",
  "+01:00",
  "-00:30",
  "0",
  "5",
  "59",
  "60",
  "123456",
  "789",
  "x",
  " ",
);
const tail = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")),
  fc.stringMatching(/^:[0-6][0-9](\.[0-9]{1,10})?(Z|[+]00:00)$/),
);

test("a time reads alike whether its minute was read just before or not", () => {
  fc.assert(
    fc.property(tail, (text) => {
      parseIsoMicros(OTHER);
      const afresh = parseIsoMicros(MINUTE + text);
      parseIsoMicros(KNOWN);
      expect(parseIsoMicros(MINUTE + text)).toBe(afresh);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  [":05Z", 5_000_000],
  [":05.1Z", 5_100_000],
  [":59.123456789Z", 59_123_456],
])("a known minute and %s are exact", (text, us) => {
  const start = Date.UTC(2026, 10, 30, 12, 34) * 1_000;
  parseIsoMicros(KNOWN);
  expect(parseIsoMicros(MINUTE + text)).toBe(start + us);
});

test.each([":60Z", ":05", ":05.Z", ":05.1234567890Z", ":05Zx", ":5Z", "05Z"])(
  "a known minute and %s are no time",
  (text) => {
    parseIsoMicros(KNOWN);
    expect(parseIsoMicros(MINUTE + text)).toBeNull();
  },
);
