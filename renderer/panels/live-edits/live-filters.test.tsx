import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { FakeBridge } from "../../bridge/fake-bridge.test-support.ts";
import { createAppStores, type AppStores } from "../../stores/app-stores.ts";
import { WindowMemory } from "../../stores/window-memory.ts";
import {
  giveElementsASize,
  paintedOffsets,
  renderWorkbench,
} from "../../workbench/render-workbench.test-support.tsx";
import { Workbench } from "../../workbench/workbench.tsx";
import { exampleRowCount, exampleRows } from "./live-row.test-support.ts";

afterEach(cleanup);

const WIKIS = ["enwiki", "dewiki", "frwiki", "wikidatawiki"];

/** Wiki, type, bot and namespace by the offset, so that a test knows which rows a filter keeps. */
function mixedRows(from: number, to: number) {
  return exampleRows(from, to).map((row) => ({
    ...row,
    wiki: WIKIS[row.logOffset % 4] ?? "",
    type: row.logOffset % 5 === 0 ? "log" : "edit",
    bot: row.logOffset % 3 === 0,
    namespace: row.logOffset % 7 === 0 ? 14 : 0,
  }));
}

function mix(fake: FakeBridge): void {
  fake.rows = mixedRows;
}

function press(key: string, more: object = {}): void {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
}

async function commit(bridge: FakeBridge, checkpoint: number): Promise<void> {
  await act(async () => bridge.commit(checkpoint));
}

/** A window that starts with the memory that another one left. */
async function startAgain(before: { bridge: FakeBridge; stores: AppStores }): Promise<{
  bridge: FakeBridge;
  stores: AppStores;
}> {
  await before.stores.memory.flush();
  cleanup();
  giveElementsASize();
  const bridge = new FakeBridge();
  bridge.memory = before.bridge.memory;
  bridge.rows = before.bridge.rows;
  bridge.status = before.bridge.status;
  const memory = new WindowMemory(bridge);
  await memory.load();
  const stores = createAppStores(bridge, memory);
  await act(async () => void render(<Workbench stores={stores} />));
  return { bridge, stores };
}

describe("filters of live edits", () => {
  test("W opens the wikis that were seen, most edits first; typing narrows, Enter picks several, Esc goes back", async () => {
    const { bridge } = await renderWorkbench(mix);
    await commit(bridge, 400);
    press("w");
    const field = screen.getByRole("combobox", { name: "Search: Wiki" });
    expect(document.activeElement).toBe(field);
    expect(screen.getAllByRole("option").map((option) => option.textContent)).toContain("enwiki80");
    fireEvent.change(field, { target: { value: "de" } });
    expect(screen.getAllByRole("option")[0]?.textContent).toContain("dewiki");
    press("Enter");
    fireEvent.change(field, { target: { value: "fr" } });
    press("Enter");
    expect(paintedOffsets().every((offset) => [1, 2].includes(offset % 4))).toBe(true);
    press("Escape");
    expect(screen.getByRole("combobox")).toBeTruthy();
    press("Escape");
    expect(screen.queryByRole("combobox")).toBeNull();
    expect(document.activeElement?.id).toBe("live-edits-wikis");
  });

  test("a wiki that was not seen yet can be typed and picked; a type cannot", async () => {
    const { bridge, stores } = await renderWorkbench(mix);
    await commit(bridge, 400);
    press("w");
    fireEvent.change(screen.getByRole("combobox"), { target: { value: "arwiki" } });
    expect(screen.getByRole("option").textContent).toContain("not seen yet");
    press("Enter");
    expect(stores.liveEdits.store.getState().filter.wikis).toEqual(["arwiki"]);
    expect(screen.getByText("No row in view matches the filters.")).toBeTruthy();
    press("Escape");
    press("Escape");
    press("t");
    fireEvent.change(screen.getByRole("combobox"), { target: { value: "strange" } });
    expect(screen.queryAllByRole("option")).toEqual([]);
  });

  test("wiki, type, namespace and bots hold together; each is a chip with its own end, and X ends all", async () => {
    const { bridge, stores } = await renderWorkbench(mix);
    await commit(bridge, 900);
    await act(async () => {
      stores.liveEdits.togglePicked("wikis", "dewiki");
      stores.liveEdits.togglePicked("types", "edit");
      stores.liveEdits.togglePicked("namespaces", "14");
    });
    press("b");
    const expected = mixedRows(1, 900)
      .filter((row) => row.wiki === "dewiki" && row.type === "edit" && row.namespace === 14 && row.bot)
      .map((row) => row.logOffset)
      .toReversed();
    expect(expected.length).toBeGreaterThan(2);
    expect(paintedOffsets()).toEqual(expected);
    expect(screen.getByText(`${expected.length} of 810 shown`)).toBeTruthy();
    const chips = within(screen.getByRole("list", { name: "Active filters" }));
    expect(chips.getAllByRole("listitem").map((chip) => chip.textContent)).toEqual([
      "wiki dewiki",
      "type edit",
      "namespace 14",
      "bots only",
    ]);
    fireEvent.click(screen.getByRole("button", { name: "Remove the filter wiki dewiki" }));
    expect(paintedOffsets().length).toBeGreaterThan(expected.length);
    press("x");
    expect(screen.queryByRole("list", { name: "Active filters" })).toBeNull();
    expect(screen.getByText("810 rows")).toBeTruthy();
  });

  test("Esc in the text field first clears it, then gives the keyboard back", async () => {
    const { bridge } = await renderWorkbench(mix);
    await commit(bridge, 400);
    press("/");
    const input = screen.getByLabelText("Filter rows");
    fireEvent.change(input, { target: { value: "nothing has this" } });
    press("Escape");
    expect([input.getAttribute("value"), document.activeElement]).toEqual(["", input]);
    press("Escape");
    expect(document.activeElement).not.toBe(input);
  });

  test("rows fetched by looking further back are filtered too, and it is said how far that was", async () => {
    const { bridge, stores } = await renderWorkbench(mix);
    await commit(bridge, 20_000);
    await act(async () => stores.liveEdits.togglePicked("wikis", "dewiki"));
    expect(screen.getByText(/shown of offsets 19,001 to 20,000/)).toBeTruthy();
    await act(async () => fireEvent.click(screen.getByRole("button", { name: /load older rows/ })));
    await waitFor(() => expect(screen.getByText(/shown of offsets 18,001 to 20,000/)).toBeTruthy());
    const { window } = stores.liveEdits.store.getState();
    const held = window.rows.filter((row) => row.wiki === "dewiki").length;
    expect(screen.getByText(`${held} of 1,800 shown`)).toBeTruthy();
    expect(paintedOffsets().every((offset) => offset % 4 === 1)).toBe(true);
  });

  test("while paused and filtered, all rows that wait are counted, and resuming shows the filtered ones", async () => {
    const { bridge, stores } = await renderWorkbench(mix);
    await commit(bridge, 1_005);
    await act(async () => stores.liveEdits.togglePicked("wikis", "dewiki"));
    press(" ");
    const before = paintedOffsets();
    await commit(bridge, 1_500);
    const waiting = exampleRowCount(1_500) - exampleRowCount(1_005);
    expect(screen.getByText(`Paused · ${waiting} rows wait`)).toBeTruthy();
    expect(paintedOffsets()).toEqual(before);
    press(" ");
    await waitFor(() => expect(paintedOffsets()[0]).toBe(1_497));
  });
});

describe("what live edits keeps over a restart", () => {
  test("filters and column widths", async () => {
    const first = await renderWorkbench(mix);
    await commit(first.bridge, 400);
    await act(async () => {
      first.stores.liveEdits.togglePicked("wikis", "dewiki");
      first.stores.liveEdits.setText("page");
    });
    const title = screen.getByRole("columnheader", { name: "title" });
    fireEvent.keyDown(title, { key: "ArrowRight", shiftKey: true });
    const { bridge } = await startAgain(first);
    await commit(bridge, 400);
    await waitFor(() => expect(paintedOffsets()[0]).toBe(397));
    expect(screen.getByLabelText("Filter rows").getAttribute("value")).toBe("page");
    expect(screen.getByRole("grid").style.getPropertyValue("--columns")).toContain("1016px");
  });

  test("the pause with its place and its count, though the stream went on meanwhile", async () => {
    const first = await renderWorkbench(mix);
    await commit(first.bridge, 5_000);
    press(" ");
    const list = screen.getByRole("grid");
    list.scrollTop = 24 * 300;
    fireEvent.scroll(list);
    const top = first.stores.liveEdits.store.getState().topOffset;
    const { bridge, stores } = await startAgain(first);
    await commit(bridge, 6_000);
    // jsdom moves the list but does not tell.
    await waitFor(() => expect(screen.getByRole("grid").scrollTop).toBeGreaterThan(0));
    await act(async () => fireEvent.scroll(screen.getByRole("grid")));
    expect(paintedOffsets()).toContain(top);
    expect(stores.liveEdits.store.getState().topOffset).toBe(top);
    const waiting = exampleRowCount(6_000) - exampleRowCount(5_000);
    expect(screen.getByText(`Paused · ${waiting} rows wait`)).toBeTruthy();
    expect(screen.getByRole("grid").scrollTop % 24).toBe(0);
    expect(stores.liveEdits.store.getState().window.hold?.reason).toBe("user");
    press(" ");
    await waitFor(() => expect(paintedOffsets()[0]).toBe(5_999));
    expect(screen.getByRole("grid").scrollTop).toBe(0);
  });

  test("no pause of another lake, nor one beyond what this lake holds", async () => {
    const first = await renderWorkbench(mix);
    await commit(first.bridge, 5_000);
    press(" ");
    for (const more of [{ source: "demo" }, { dataFolder: "/elsewhere" }]) {
      const { bridge } = await startAgain(first);
      await act(async () => bridge.commit(5_005, more));
      await waitFor(() => expect(paintedOffsets()[0]).toBe(5_005));
      expect(screen.queryByText(/Paused/)).toBeNull();
    }
    first.bridge.status = { ...first.bridge.status, pipeline: null };
    const { bridge } = await startAgain(first);
    await commit(bridge, 4_999);
    await waitFor(() => expect(paintedOffsets()[0]).toBe(4_999));
    expect(screen.queryByText(/Paused/)).toBeNull();
  });

  test("a memory that another build wrote breaks nothing", async () => {
    const bridge = new FakeBridge();
    bridge.memory = JSON.stringify({
      "live-edits.filter": { wikis: "x", bots: 4 },
      "live-edits.place": { hold: { atOffset: "9" } },
      "live-edits.widths": [1],
      "late-arrivals.view": { sort: { column: "gone" } },
    });
    const memory = new WindowMemory(bridge);
    await memory.load();
    const stores = createAppStores(bridge, memory);
    expect(stores.liveEdits.store.getState()).toMatchObject({
      filter: { text: "", bots: "all" },
      widths: {},
    });
    expect(stores.lateArrivals.store.getState().sort).toEqual({
      column: "received",
      direction: "descending",
    });
  });
});

describe("a row of live edits", () => {
  test("Ctrl+C copies the selected row as JSON, exactly as received; with text selected it copies that", async () => {
    const writeText = vi.fn(async (_text: string) => undefined);
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText } });
    const { bridge } = await renderWorkbench(mix);
    await commit(bridge, 1_005);
    press("j");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("grid")));
    await act(async () => press("c", { ctrlKey: true }));
    const raw = bridge.record(1_005)?.raw;
    await waitFor(() => expect(writeText).toHaveBeenCalledExactlyOnceWith(raw));
    expect(screen.getByText("Copied the JSON of record 1,005")).toBeTruthy();
    document.getSelection()?.selectAllChildren(screen.getByRole("grid"));
    await act(async () => press("c", { ctrlKey: true }));
    expect(writeText).toHaveBeenCalledOnce();
    document.getSelection()?.removeAllRanges();
  });

  test("C13: its menu, by pointer or key, copies title and link as delivered and opens them through main", async () => {
    const writeText = vi.fn(async (_text: string) => undefined);
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText } });
    const { bridge, stores } = await renderWorkbench(mix);
    await commit(bridge, 1_005);
    const choose = async (name: string): Promise<void> => {
      const row = document.querySelector('[data-offset="1004"]');
      if (row === null) throw new Error("the row is not painted");
      fireEvent.contextMenu(row, { button: 2, clientX: 5, clientY: 5 });
      expect(document.activeElement?.textContent).toContain("Inspect");
      await act(async () => fireEvent.click(screen.getByRole("menuitem", { name: new RegExp(name) })));
      expect(screen.queryByRole("menu")).toBeNull();
    };
    await choose("Copy the title");
    await choose("Copy the link");
    expect(writeText.mock.calls).toEqual([["Page 1004"], ["https://en.wikipedia.org/wiki/Page_1004"]]);
    expect(stores.liveEdits.store.getState().selectedOffset).toBe(1_004);
    await choose("Open the page");
    await choose("Open the difference");
    expect(bridge.called("link.open").map(({ args }) => args)).toEqual([
      { url: "https://en.wikipedia.org/wiki/Page_1004" },
      { url: "https://en.wikipedia.org/w/index.php?diff=99" },
    ]);
    fireEvent.contextMenu(screen.getByRole("grid"), { button: 0 });
    expect(screen.getByRole("menu")).toBeTruthy();
    press("ArrowDown");
    expect(document.activeElement?.textContent).toContain("Copy as JSON");
    press("Escape");
    expect(screen.queryByRole("menu")).toBeNull();
  });

  test("C13: an address that is no https link is text in the inspector, with no button to open it", async () => {
    const { bridge } = await renderWorkbench((fake) => {
      fake.record = (logOffset) => ({
        logOffset,
        table: "silver.changes",
        columns: [],
        raw: JSON.stringify({ title: "A/2020", meta: { uri: "javascript:alert(1)" }, notify_url: "data:x" }),
        bytes: null,
        commit: null,
      });
    });
    await commit(bridge, 1_005);
    press("j");
    await act(async () => press("Enter"));
    const inspector = within(screen.getByLabelText("Inspector"));
    await waitFor(() => expect(inspector.getByText("A/2020")).toBeTruthy());
    expect(inspector.getByText("javascript:alert(1)")).toBeTruthy();
    expect(inspector.queryByRole("button", { name: /Page|Difference/ })).toBeNull();
    expect(document.querySelectorAll("a")).toHaveLength(0);
    expect(bridge.called("link.open")).toHaveLength(0);
  });
});

describe("columns", () => {
  test("are one stop of the Tab key; arrows go along, Shift+arrow resizes, Backspace takes it back", async () => {
    const { bridge, stores } = await renderWorkbench();
    await commit(bridge, 1_005);
    const heads = screen.getAllByRole("columnheader");
    expect(heads.map((head) => head.tabIndex)).toEqual([0, -1, -1, -1, -1, -1, -1]);
    heads[0]?.focus();
    press("ArrowRight");
    expect(document.activeElement).toBe(heads[1]);
    press("ArrowLeft", { shiftKey: true });
    expect(stores.liveEdits.store.getState().widths).toEqual({ wiki: 984 });
    press("Backspace");
    expect(stores.liveEdits.store.getState().widths).toEqual({});
    expect(stores.liveEdits.store.getState().window.hold).toBeNull();
  });

  test("are resized by dragging their edge, and a double click takes it back", async () => {
    const { bridge, stores } = await renderWorkbench();
    await commit(bridge, 1_005);
    const edge = screen.getByRole("columnheader", { name: "user" }).querySelector(".column-edge");
    if (edge === null) throw new Error("no edge");
    fireEvent.pointerDown(edge, { button: 0, clientX: 500 });
    fireEvent.pointerMove(edge, { clientX: 300 });
    expect(stores.liveEdits.store.getState().widths).toEqual({ user: 800 });
    fireEvent.pointerUp(edge);
    fireEvent.pointerMove(edge, { clientX: 100 });
    expect(stores.liveEdits.store.getState().widths).toEqual({ user: 800 });
    fireEvent.doubleClick(edge);
    expect(stores.liveEdits.store.getState().widths).toEqual({});
  });
});
