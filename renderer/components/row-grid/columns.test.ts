import { expect, test } from "vitest";
import {
  clampWidth,
  layColumns,
  nextSort,
  readSort,
  readWidths,
  setWidth,
  type GridColumn,
} from "./columns.ts";

const time: GridColumn = { id: "time", label: "time", track: "60px", minPx: 40, isSortable: true };
const title: GridColumn = { id: "title", label: "title", track: "minmax(120px, 3fr)", minPx: 120 };

test("a width that the user set replaces the column's own track, and the grid never gets narrower than its columns", () => {
  expect(layColumns([time, title], {})).toEqual({ template: "60px minmax(120px, 3fr)", minWidthPx: 196 });
  expect(layColumns([time, title], { title: 400 })).toEqual({ template: "60px 400px", minWidthPx: 476 });
});

test("no width is below the column's least or beyond a screen, and taking it back restores the track", () => {
  expect([clampWidth(title, 3), clampWidth(title, 1e9), clampWidth(title, 200.6)]).toEqual([120, 1_600, 201]);
  const widths = setWidth({}, title, 300);
  expect(widths).toEqual({ title: 300 });
  expect(setWidth(widths, title, null)).toEqual({});
});

test("of remembered widths and orders only what has their shape is taken", () => {
  expect(readWidths({ time: 80, title: "wide", other: -1, huge: 1e9, none: null })).toEqual({ time: 80 });
  for (const value of [null, "x", 7, undefined]) expect(readWidths(value)).toEqual({});
  expect(readSort({ column: "time", direction: "ascending" }, [time, title])).toEqual({
    column: "time",
    direction: "ascending",
  });
  for (const value of [
    null,
    {},
    { column: "title", direction: "ascending" },
    { column: "time", direction: "up" },
  ])
    expect(readSort(value, [time, title])).toBeNull();
});

test("a second click on a header turns the order round, another header begins with its large end", () => {
  const sort = nextSort({ column: "time", direction: "descending" }, "late");
  expect(sort).toEqual({ column: "late", direction: "descending" });
  expect(nextSort(sort, "late").direction).toBe("ascending");
});
