import { expect, test } from "vitest";
import { isFailure, type Limit, type Row, shortfall, verdictOf } from "./figure.ts";
import { formatTable } from "./print-table.ts";

const atLeast38: Limit = { kind: "at-least", value: 38, unit: "percent" };
const atMost500: Limit = { kind: "at-most", value: 500, unit: "ms" };

function measured(limit: Limit, value: number): Row {
  return { figure: "f", limit, outcome: { kind: "measured", value, baseline: "b" } };
}

test.each([
  [atLeast38, 38, "ok"],
  [atLeast38, 37.9, "short"],
  [atLeast38, 12.6, "broken"],
  [atLeast38, 0, "broken"],
  [atMost500, 500, "ok"],
  [atMost500, 501, "short"],
  [atMost500, 1501, "broken"],
  [atMost500, Number.NaN, "broken"],
] as const)("%j reached with %d is %s", (limit, value, verdict) => {
  expect(verdictOf(measured(limit, value))).toBe(verdict);
});

test("the run fails for a broken figure and for a measurement that failed, not for a short one or one left to the full run", () => {
  const failed: Row = { figure: "f", limit: atMost500, outcome: { kind: "failed", error: "no commit came" } };
  const left: Row = { figure: "f", limit: atMost500, outcome: { kind: "not-measured", reason: "full only" } };
  expect(isFailure([measured(atLeast38, 20), left])).toBe(false);
  expect(isFailure([measured(atLeast38, 5)])).toBe(true);
  expect(isFailure([failed])).toBe(true);
});

test("a value of nothing is infinitely short", () => {
  expect(shortfall(atLeast38, 0)).toBe(Number.POSITIVE_INFINITY);
});

test("a figure that was not measured shows its reason and no number", () => {
  const row: Row = {
    figure: "memory",
    limit: atMost500,
    outcome: { kind: "not-measured", reason: "full only" },
  };
  const text = formatTable([row, measured(atMost500, 250)]);
  expect(text).toContain("memory | full only | ≤ 500 ms | –");
  expect(text).toContain("250 ms");
  expect(text).toContain("| ok");
});
