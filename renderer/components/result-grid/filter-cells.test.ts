import { describe, expect, test } from "vitest";
import type { WireCell } from "#pipeline/protocol/query-messages.ts";
import { parseFilter } from "./filter-cells.ts";

const COLUMNS = [
  { name: "n", type: "HUGEINT" },
  { name: "share", type: "DECIMAL(18,8)" },
  { name: "f", type: "DOUBLE" },
  { name: "Title Case", type: "VARCHAR" },
  { name: "at", type: "TIMESTAMP WITH TIME ZONE" },
  { name: "bot", type: "BOOLEAN" },
];
const ROWS: readonly (readonly WireCell[])[] = [
  ["9007199254740993", "0.10000000", 1.5, "Über uns", "2026-04-29T12:38:00Z", true],
  [-32, "2.00000000", "inf", "a > b", "2026-04-30T12:38:00Z", false],
  [113, null, null, null, null, null],
  ["170141183460469231731687303715884105727", "-3.00000000", -7, "plain", "10000-01-01T00:00:00Z", false],
];
const found = (text: string): readonly number[] => {
  const wants = parseFilter(text, COLUMNS);
  return [...ROWS.keys()].filter((at) => wants === null || wants(ROWS[at] ?? []));
};

describe("a filter", () => {
  test.each([
    ["C27 `> 100` compares every number column by value", "> 100", [0, 1, 2, 3]],
    ["a column by its name", "n > 100", [0, 2, 3]],
    ["by all digits", "n > 9007199254740992", [0, 3]],
    ["by all digits, equal", "n = 9007199254740993", [0]],
    ["integers with a fraction", "n > 112.5", [0, 2, 3]],
    ["decimals", "share >= 0.1", [0, 1]],
    ["decimals, less", "share < 0", [3]],
    ["floats", "f < 0", [3]],
    ["a name in quotes, whatever its case", `"title case" = plain`, [3]],
    ["texts in quotes", `"Title Case" = 'a > b'`, [1]],
    ["times", "at > 2026-04-29T23:00:00Z", [1, 3]],
    ["booleans", "bot = true", [0]],
    ["what is missing", "share = null", [2]],
    ["what is there", "share != null", [0, 1, 3]],
    ["words anywhere, whatever their case", "über", [0]],
    ["several words, all of them", "uns 1.5", [0]],
    ["what only looks like a comparison", "nothing > b", []],
    ["nothing", "  ", [0, 1, 2, 3]],
  ])("finds %s: %s", (_what, text, expected) => expect(found(text)).toEqual(expected));
});
