import { describe, expect, test } from "vitest";
import type { WireCell } from "#pipeline/protocol/query-messages.ts";
import { isSortable, orderOf, toScaled } from "./order-cells.ts";

const sorted = (
  type: string,
  cells: readonly WireCell[],
  direction: "ascending" | "descending" = "ascending",
) => orderOf(cells, type, direction).map((at) => cells[at]);

describe("C27: order of cells", () => {
  test("integers beyond 2^53 sort by all of their digits, whether they came as numbers or as text", () => {
    const cells = [
      "9007199254740993",
      -32,
      113,
      -10,
      "9007199254740992",
      "170141183460469231731687303715884105727",
    ];
    const rising = [
      -32,
      -10,
      113,
      "9007199254740992",
      "9007199254740993",
      "170141183460469231731687303715884105727",
    ];
    expect(sorted("HUGEINT", cells)).toEqual(rising);
    expect(sorted("HUGEINT", cells, "descending")).toEqual(rising.toReversed());
  });

  test("decimals sort by value and not by text, and keep their zeros", () => {
    const cells = ["0.10000000", "-2.50000000", "10.00000000", "9.00000000", "0.09999999"];
    expect(sorted("DECIMAL(18,8)", cells)).toEqual([
      "-2.50000000",
      "0.09999999",
      "0.10000000",
      "9.00000000",
      "10.00000000",
    ]);
  });

  test("nulls are last both ways, and equal cells keep their order", () => {
    const cells = [null, 2, null, 1];
    expect(sorted("INTEGER", cells)).toEqual([1, 2, null, null]);
    expect(sorted("INTEGER", cells, "descending")).toEqual([2, 1, null, null]);
    expect(orderOf(["a", "b", "a", null, "b"], "VARCHAR", "ascending")).toEqual([0, 2, 1, 4, 3]);
    expect(orderOf(["a", "b", "a", null, "b"], "VARCHAR", "descending")).toEqual([1, 4, 0, 2, 3]);
  });

  test("floats have their infinities at the ends and not-a-number behind them", () => {
    expect(sorted("DOUBLE", ["nan", 1.5, "-inf", "inf", -2, 1e300])).toEqual([
      "-inf",
      -2,
      1.5,
      1e300,
      "inf",
      "nan",
    ]);
  });

  test("times sort across years of any length, before Christ and the infinities", () => {
    const cells = [
      "10000-01-01",
      "2026-04-29",
      "0044-03-15 (BC)",
      "infinity",
      "-infinity",
      "0999-12-31",
      "0043-01-01 (BC)",
    ];
    expect(sorted("DATE", cells)).toEqual([
      "-infinity",
      "0044-03-15 (BC)",
      "0043-01-01 (BC)",
      "0999-12-31",
      "2026-04-29",
      "10000-01-01",
      "infinity",
    ]);
    const instants = ["2026-04-29T12:38:00.5Z", "2026-04-29T12:38:00Z"];
    expect(sorted("TIMESTAMP WITH TIME ZONE", instants)).toEqual(instants.toReversed());
  });

  test("booleans and texts have their own order, nested values and intervals none", () => {
    expect(sorted("BOOLEAN", [true, null, false])).toEqual([false, true, null]);
    expect(sorted("VARCHAR", ["b", "B", "a", ""])).toEqual(["", "B", "a", "b"]);
    expect(["INTERVAL", "INTEGER[]", "STRUCT(a INTEGER)"].map(isSortable)).toEqual([false, false, false]);
  });
});

test("a decimal text is an exact integer of its scale, and what is none is none", () => {
  expect(toScaled("-0.10", 8)).toBe(-10_000_000n);
  expect(toScaled("32198334098493770513452193445", 0)).toBe(32_198_334_098_493_770_513_452_193_445n);
  expect(toScaled("1.5", 0)).toBeNull();
  expect(toScaled("1e5", 2)).toBeNull();
});
