import { expect, test } from "vitest";
import { countValues, filterRows } from "./filter-rows.ts";
import { activeFilters, isFiltering, nextBots, NO_FILTER, readFilter, togglePicked } from "./live-filter.ts";
import { exampleRow } from "./live-row.test-support.ts";

const rows = [
  exampleRow(1, { title: "Tour de France", user: "Gpe", wiki: "frwiki" }),
  exampleRow(2, { title: "قائمة مدن المغرب", wiki: "arwiki", bot: true, namespace: 14 }),
  exampleRow(3, { title: null, user: null, comment: null, type: "log", namespace: null }),
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
])("`%s` keeps the rows that hold every word", (text, offsets) => {
  expect(filterRows(rows, { ...NO_FILTER, text }).map((row) => row.logOffset)).toEqual(offsets);
});

test.each([
  [{ wikis: ["frwiki", "arwiki"] }, [1, 2]],
  [{ wikis: ["enwiki"], types: ["edit"] }, []],
  [{ types: ["log"] }, [3]],
  [{ namespaces: [0] }, [1]],
  [{ namespaces: [0, 14], bots: "only" as const }, [2]],
  [{ bots: "without" as const }, [1, 3]],
  [{ wikis: ["frwiki"], text: "-gpe" }, []],
])("%o: one value of each part that asks for something, and all parts together", (part, offsets) => {
  expect(filterRows(rows, { ...NO_FILTER, ...part }).map((row) => row.logOffset)).toEqual(offsets);
});

test("a filter that asks for nothing gives the very same rows, so that nothing is painted again", () => {
  expect(filterRows(rows, NO_FILTER)).toBe(rows);
});

test("names everything it asks for, each with the filter that no longer does", () => {
  const filter = { ...NO_FILTER, text: " lyon ", wikis: ["frwiki"], namespaces: [14], bots: "only" as const };
  const active = activeFilters(filter);
  expect(active.map(({ name, value }) => `${name} ${value}`)).toEqual([
    "text lyon",
    "wiki frwiki",
    "namespace 14",
    "bots only",
  ]);
  expect(active[1]?.without).toEqual({ ...filter, wikis: [] });
  expect(
    active.reduce(
      (left, { name }) => activeFilters(left).find((one) => one.name === name)?.without ?? left,
      readFilter(filter),
    ),
  ).toEqual(NO_FILTER);
  expect([isFiltering({ ...NO_FILTER, text: " - " }), isFiltering(filter)]).toEqual([false, true]);
});

test("picking a value twice takes it out again, and a namespace is a number", () => {
  const once = togglePicked(NO_FILTER, "namespaces", "14");
  expect(once.namespaces).toEqual([14]);
  expect(togglePicked(once, "namespaces", "14")).toEqual(NO_FILTER);
  expect(togglePicked(NO_FILTER, "namespaces", "talk")).toEqual(NO_FILTER);
  expect([nextBots("all"), nextBots("only"), nextBots("without")]).toEqual(["only", "without", "all"]);
});

test("of a remembered filter only what has its shape is taken", () => {
  const filter = { ...NO_FILTER, text: "x", wikis: ["enwiki"], bots: "without" as const };
  expect(readFilter(JSON.parse(JSON.stringify(filter)))).toEqual(filter);
  for (const value of [
    null,
    3,
    "x",
    [],
    { text: 1, wikis: "enwiki", types: [4], namespaces: ["0"], bots: "x" },
  ])
    expect(readFilter(value)).toEqual(NO_FILTER);
});

test("counts values, the most frequent first", () => {
  expect([...countValues(rows, (row) => row.type)]).toEqual([
    ["edit", 2],
    ["log", 1],
  ]);
});
