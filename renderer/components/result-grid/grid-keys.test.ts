import { expect, test } from "vitest";
import { gridAction, type GridStroke } from "./grid-keys.ts";

const stroke = (key: string, more: Partial<GridStroke> = {}): GridStroke => ({
  key,
  code: "",
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...more,
});
const position = { focus: { row: 5, column: 2 }, rows: 100, columns: 10, pageRows: 20 };
const move = (row: number, column: number, isExtending = false) => ({
  kind: "move",
  to: { row, column },
  extends: isExtending,
});

test.each([
  ["ArrowUp", {}, move(4, 2)],
  ["ArrowDown", {}, move(6, 2)],
  ["ArrowLeft", {}, move(5, 1)],
  ["ArrowRight", { shiftKey: true }, move(5, 3, true)],
  ["Home", {}, move(5, 0)],
  ["End", {}, move(5, 9)],
  ["Home", { ctrlKey: true }, move(0, 0)],
  ["End", { metaKey: true, shiftKey: true }, move(99, 9, true)],
  ["PageDown", {}, move(25, 2)],
  ["PageUp", {}, move(0, 2)],
  ["j", {}, move(6, 2)],
  ["k", {}, move(4, 2)],
  ["ArrowDown", { ctrlKey: true }, move(99, 2)],
  ["a", { ctrlKey: true }, { kind: "select-all" }],
  ["C", { ctrlKey: true }, { kind: "copy" }],
  ["f", { metaKey: true }, { kind: "filter" }],
  ["/", {}, { kind: "filter" }],
  ["Enter", {}, { kind: "open" }],
  ["ArrowRight", { altKey: true }, { kind: "widen", byPx: 16 }],
  ["º", { altKey: true, code: "Digit0" }, { kind: "fit" }],
  ["Enter", { ctrlKey: true }, null],
  ["PageDown", { ctrlKey: true }, null],
  ["x", {}, null],
] as const)("%s with %j", (key, more, expected) => {
  expect(gridAction(stroke(key, more), position)).toEqual(expected);
});

test("in the head Enter and Space order by the column, and an arrow leads back into the rows", () => {
  const head = { ...position, focus: { row: -1, column: 3 } };
  expect(gridAction(stroke("Enter"), head)).toEqual({ kind: "sort" });
  expect(gridAction(stroke(" "), head)).toEqual({ kind: "sort" });
  expect(gridAction(stroke("ArrowDown"), head)).toEqual(move(0, 3));
});
