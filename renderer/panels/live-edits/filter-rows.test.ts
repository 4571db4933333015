import { expect, test } from "vitest";
import { filterRows } from "./filter-rows.ts";
import { exampleRow } from "./live-row.test-support.ts";

const rows = [
  exampleRow(1, { title: "Tour de France", user: "Gpe", wiki: "frwiki" }),
  exampleRow(2, { title: "قائمة مدن المغرب", wiki: "arwiki", bot: true }),
  exampleRow(3, { title: null, user: null, comment: null, type: "log" }),
];

test.each([
  ["", [1, 2, 3]],
  ["  ", [1, 2, 3]],
  ["FRANCE", [1]],
  ["france frwiki", [1]],
  ["france enwiki", []],
  ["المغرب", [2]],
  ["bot", [2]],
  ["-bot", [1, 3]],
  ["log", [3]],
  ["(.*[", []],
  ["-", [1, 2, 3]],
])("`%s` keeps the rows that hold every word", (filter, offsets) => {
  expect(filterRows(rows, filter).map((row) => row.logOffset)).toEqual(offsets);
});
