import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ResultPage, WireCell } from "#pipeline/protocol/query-messages.ts";
import { FakeBridge } from "../../bridge/fake-bridge.test-support.ts";
import { AppStoresContext, createAppStores, type AppStores } from "../../stores/app-stores.ts";
import { giveElementsASize } from "../../workbench/render-workbench.test-support.tsx";
import { ResultGrid } from "./result-grid.tsx";

let copied: string[] = [];
beforeEach(() => {
  giveElementsASize();
  copied = [];
  Object.assign(navigator, { clipboard: { writeText: async (text: string) => void copied.push(text) } });
});
afterEach(cleanup);

const NUMBERS: ResultPage = {
  columns: [
    { name: "n", type: "HUGEINT" },
    { name: "t", type: "VARCHAR" },
  ],
  rows: [
    ["9007199254740993", "b"],
    [-32, ""],
    [null, null],
    [113, "a\tb"],
    ["170141183460469231731687303715884105727", "<b>x</b>"],
    [-10, "\u202ezz"],
  ],
};

type Shown = { readonly bridge: FakeBridge; readonly stores: AppStores; readonly grid: HTMLElement };

async function show(page: ResultPage): Promise<Shown> {
  const bridge = new FakeBridge();
  const stores = createAppStores(bridge);
  await act(async () => {
    render(
      <AppStoresContext value={stores}>
        <ResultGrid page={page} label="Result" />
      </AppStoresContext>,
    );
  });
  return { bridge, stores, grid: screen.getByRole("grid") };
}

const column = (index: number): readonly string[] =>
  [...document.querySelectorAll(`.grid-inner [data-column="${index}"]`)].map((cell) => cell.textContent);
const press = (grid: HTMLElement, key: string, more: object = {}): Promise<void> =>
  act(async () => void fireEvent.keyDown(grid, { key, ...more }));
const focused = (grid: HTMLElement): string | null =>
  document.getElementById(grid.getAttribute("aria-activedescendant") ?? "")?.textContent ?? null;

describe("order and filter", () => {
  test("C27: a click on the head orders by value, down and up and back, nulls last both ways", async () => {
    await show(NUMBERS);
    const head = screen.getByRole("columnheader", { name: /n HUGEINT/ });
    const rising = ["-32", "-10", "113", "9007199254740993", "170141183460469231731687303715884105727"];
    fireEvent.click(head);
    expect(column(0)).toEqual([...rising, "NULL"]);
    expect(head.getAttribute("aria-sort")).toBe("ascending");
    fireEvent.click(head);
    expect(column(0)).toEqual([...rising.toReversed(), "NULL"]);
    fireEvent.click(head);
    expect(head.getAttribute("aria-sort")).toBe("none");
    expect(column(0)[0]).toBe("9007199254740993");
  });

  test("C27: `> 100` leaves the rows that are greater, and says how many of how many", async () => {
    await show(NUMBERS);
    await act(async () => {
      fireEvent.change(screen.getByRole("textbox", { name: /Filter/ }), { target: { value: "> 100" } });
    });
    expect(column(0)).toEqual(["9007199254740993", "113", "170141183460469231731687303715884105727"]);
    expect(screen.getByText(/3 of 6 match/)).toBeTruthy();
  });

  test("without a match, and without a row, it says so", async () => {
    await show(NUMBERS);
    await act(async () => {
      fireEvent.change(screen.getByRole("textbox", { name: /Filter/ }), { target: { value: "nowhere" } });
    });
    expect(screen.getByText("No row matches the filter.")).toBeTruthy();
    cleanup();
    await show({ ...NUMBERS, rows: [] });
    expect(screen.getByText("No rows.")).toBeTruthy();
  });
});

test("a missing value differs from an empty text, HTML stays text, and marks of direction are shown", async () => {
  await show(NUMBERS);
  expect(column(1)).toEqual(["b", "", "NULL", "aTABb", "<b>x</b>", "RLOzz"]);
  expect(document.querySelector(".grid b")).toBeNull();
});

describe("the keyboard", () => {
  test("moves the cell, into the head and back, orders there, and stays within the rows", async () => {
    const { grid } = await show(NUMBERS);
    expect(focused(grid)).toBe("9007199254740993");
    await press(grid, "ArrowDown");
    await press(grid, "ArrowRight");
    expect(focused(grid)).toBe("");
    await press(grid, "End", { ctrlKey: true });
    expect(focused(grid)).toBe("RLOzz");
    await press(grid, "ArrowDown");
    expect(focused(grid)).toBe("RLOzz");
    await press(grid, "Home", { ctrlKey: true });
    await press(grid, "ArrowUp");
    expect(focused(grid)).toContain("HUGEINT");
    await press(grid, "Enter");
    expect(column(0)[0]).toBe("-32");
  });

  test("changes a column's width, fits it, and the window remembers it", async () => {
    const { grid, stores } = await show(NUMBERS);
    const width = (): number =>
      parseInt((document.querySelector('[data-column="0"]') as HTMLElement).style.width, 10);
    const before = width();
    await press(grid, "ArrowRight", { altKey: true });
    expect(width()).toBe(before + 16);
    expect(stores.memory.get("grid.widths")).toEqual({ "n HUGEINT": before + 16 });
    await press(grid, "0", { altKey: true, code: "Digit0" });
    expect(width()).toBeGreaterThan(250);
  });
});

describe("copying", () => {
  test("C28: one cell alone is its text, several are lines with tabs and quotes, all follow order and filter", async () => {
    const { grid, stores } = await show(NUMBERS);
    fireEvent.click(screen.getByRole("columnheader", { name: /n HUGEINT/ }));
    await press(grid, "c", { ctrlKey: true });
    await press(grid, "ArrowRight", { shiftKey: true });
    await press(grid, "End", { ctrlKey: true, shiftKey: true });
    await press(grid, "c", { ctrlKey: true });
    expect(copied[0]).toBe("-32");
    expect(copied[1]).toBe(
      '-32\t""\n-10\t\u202ezz\n113\t"a\tb"\n9007199254740993\tb\n170141183460469231731687303715884105727\t<b>x</b>\n\t',
    );
    expect(screen.getByRole("status").textContent).toBe("12 cells copied");
    fireEvent.click(screen.getByRole("button", { name: /Copy/ }));
    await act(async () => void fireEvent.click(screen.getByRole("menuitem", { name: /as CSV/ })));
    expect(copied[2]?.split("\n").slice(0, 2)).toEqual(["n,t", '-32,""']);
    expect(stores.notifications.store.getState().open).toEqual([]);
  });

  test("a row's number selects the row, and formulas become texts where that was chosen", async () => {
    const { grid } = await show({
      columns: NUMBERS.columns,
      rows: [
        [1, "=1+1"],
        [2, "-5"],
      ],
    });
    fireEvent.click(screen.getByRole("button", { name: /Copy/ }));
    fireEvent.click(screen.getByRole("menuitemcheckbox", { name: /spreadsheet/ }));
    fireEvent.pointerDown(screen.getAllByRole("rowheader")[0] as HTMLElement, { button: 0 });
    await press(grid, "c", { ctrlKey: true });
    expect(copied).toEqual(["1\t'=1+1"]);
  });

  test("C29: a cut cell shows its size and is copied whole, fetched only then", async () => {
    const page: ResultPage = {
      columns: [{ name: "big", type: "VARCHAR" }],
      rows: [["x".repeat(1_000)], ["short"]],
      cut: [{ row: 0, column: 0, bytes: 1_800_000 }],
      keptId: "kept",
    };
    const { bridge, grid } = await show(page);
    bridge.cell = () => "whole ".repeat(10);
    expect(screen.getByText("1.8 MB")).toBeTruthy();
    const painted = column(0)[0] ?? "";
    expect(painted.length).toBeLessThan(400);
    expect(
      (screen.getAllByRole("gridcell")[0] as HTMLElement).querySelector("bdi")?.title.length,
    ).toBeLessThan(1_100);
    expect(bridge.called("sql.cells")).toEqual([]);
    await press(grid, "c", { ctrlKey: true });
    expect(bridge.called("sql.cells")[0]?.args).toEqual({ keptId: "kept", cells: [{ row: 0, column: 0 }] });
    expect(copied).toEqual(["whole ".repeat(10)]);
    bridge.error = {
      code: "result-gone",
      kind: "user",
      message: "no longer kept; run it again",
      details: {},
    };
    await press(grid, "c", { ctrlKey: true });
    expect(copied).toHaveLength(1);
  });

  test("more than a clipboard takes gladly is refused in words, and nothing is fetched", async () => {
    const rows = Array.from({ length: 100 }, (): WireCell[] => ["x"]);
    const cut = rows.map((_, row) => ({ row, column: 0, bytes: 1_800_000 }));
    const page = { columns: [{ name: "big", type: "VARCHAR" }], rows, cut, keptId: "kept" };
    const { bridge, stores, grid } = await show(page);
    await press(grid, "a", { ctrlKey: true });
    await press(grid, "c", { ctrlKey: true });
    expect(bridge.called("sql.cells")).toEqual([]);
    const [told] = stores.notifications.store.getState().open;
    expect(told?.detail).toMatch(/180.0 MB.*save the result as a file/);
  });
});

describe("the cell inspector", () => {
  const inspect = async (type: string, cell: WireCell): Promise<HTMLElement> => {
    const { grid } = await show({ columns: [{ name: "c", type }], rows: [[cell]] });
    await press(grid, "Enter");
    return screen.getByRole("complementary", { name: "Cell" });
  };

  test.each([
    ["JSON", '{"meta":{"id":"x"}}', "meta"],
    ["STRUCT(k INTEGER)", "{'k': 1}", "k"],
    ["MAP(VARCHAR, INTEGER)", "{'a': 1}", "a"],
    ["INTEGER[]", "[7, 8]", "1"],
    ["VARCHAR", '{"raw": 1}', "raw"],
  ])("shows %s as a tree, and as text when asked", async (type, cell, key) => {
    const inspector = await inspect(type, cell);
    expect(within(inspector).getByText(key)).toBeTruthy();
    fireEvent.click(within(inspector).getByRole("button", { name: "Text" }));
    expect(inspector.querySelector("pre")?.textContent).toBe(cell);
  });

  test("tells a missing value from an empty text, and Escape closes it", async () => {
    expect((await inspect("VARCHAR", null)).textContent).toContain("NULL: there is no value.");
    cleanup();
    const inspector = await inspect("VARCHAR", "");
    expect(inspector.textContent).toContain("An empty text.");
    await press(screen.getByRole("grid"), "Escape");
    expect(screen.queryByRole("complementary")).toBeNull();
  });

  test("C29: fetches a cut cell when it is opened, paints its beginning, and says what is gone", async () => {
    const page: ResultPage = {
      columns: [{ name: "big", type: "VARCHAR" }],
      rows: [["x".repeat(1_000)]],
      cut: [{ row: 0, column: 0, bytes: 1_800_000 }],
      keptId: "kept",
    };
    const { bridge, grid } = await show(page);
    bridge.cell = () => '<a b="c">'.repeat(200_000);
    await press(grid, "Enter");
    await waitFor(() => expect(screen.getByText(/The first 50,000 characters of 1,800,000/)).toBeTruthy());
    expect(document.querySelector(".cell-whole pre")?.textContent.length).toBe(50_001);
    cleanup();
    const gone = await show(page);
    gone.bridge.error = {
      code: "result-gone",
      kind: "user",
      message: "no longer kept; run it again",
      details: {},
    };
    await press(gone.grid, "Enter");
    expect((await screen.findByRole("alert")).textContent).toContain("run it again");
  });
});

test("200 columns and 10,000 rows: only what is on screen is in the page, and the ends can be reached", async () => {
  const columns = Array.from({ length: 200 }, (_, at) => ({ name: `c${at}`, type: "INTEGER" }));
  const rows = Array.from({ length: 10_000 }, (_, row) => columns.map((_column, at) => row * 1_000 + at));
  const { grid } = await show({ columns, rows });
  expect(screen.getAllByRole("gridcell").length).toBeLessThan(1_000);
  expect(grid.getAttribute("aria-rowcount")).toBe("10001");
  expect(grid.getAttribute("aria-colcount")).toBe("201");
  await press(grid, "End", { ctrlKey: true });
  await act(async () => void grid.dispatchEvent(new Event("scroll")));
  expect(focused(grid)).toBe("9999199");
  expect(screen.getAllByRole("gridcell").length).toBeLessThan(1_000);
});

test("newer rows of the same columns keep order, filter and place; other columns begin anew", async () => {
  const bridge = new FakeBridge();
  const stores = createAppStores(bridge);
  const grid = (page: ResultPage) => (
    <AppStoresContext value={stores}>
      <ResultGrid page={page} label="Result" />
    </AppStoresContext>
  );
  const { rerender } = render(grid(NUMBERS));
  fireEvent.click(screen.getByRole("columnheader", { name: /n HUGEINT/ }));
  await act(async () =>
    rerender(
      grid({
        ...NUMBERS,
        rows: [
          [5, "y"],
          [4, "x"],
        ],
      }),
    ),
  );
  expect(column(0)).toEqual(["4", "5"]);
  await act(async () => rerender(grid({ columns: [{ name: "z", type: "INTEGER" }], rows: [[2], [1]] })));
  expect(column(0)).toEqual(["2", "1"]);
});
