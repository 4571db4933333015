import { expect, test } from "vitest";
import { filterByWords, quoteText, readPage } from "./read-page.ts";

const columns = [
  { name: "n", type: "BIGINT" },
  { name: "t", type: "VARCHAR" },
];

test("reads cells by their column's name: numbers that came as text too, absent ones as null or NaN", () => {
  const page = {
    columns,
    rows: [
      ["12", "a"],
      [null, null],
    ],
  };
  const read = readPage(page, (cells) => [cells.number("n"), cells.numberOrNull("n"), cells.text("t")]);
  expect(read).toEqual([
    [12, 12, "a"],
    [Number.NaN, null, null],
  ]);
});

test("refuses an answer without the column", () => {
  expect(() => readPage({ columns, rows: [[1, "a"]] }, (cells) => cells.text("other"))).toThrow(/other/);
});

test("quotes a text so that no quote ends it", () => {
  expect(quoteText("it's'")).toBe("'it''s'''");
});

test("keeps rows with every word and without the excluded ones, whatever the case", () => {
  const rows = ["Gare de Lyon", "Gare du Nord", "Lyon"];
  expect(filterByWords(rows, "GARE -nord", (row) => row)).toEqual(["Gare de Lyon"]);
  expect(filterByWords(rows, " - ", (row) => row)).toEqual(rows);
});
