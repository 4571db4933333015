import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { renderWorkbench } from "../../workbench/render-workbench.test-support.tsx";
import { commit, mix, press } from "./live-edits.test-support.tsx";

afterEach(cleanup);

/** jsdom has no clipboard. */
function fakeClipboard() {
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined);
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText } });
  return writeText;
}

describe("a row of live edits", () => {
  test("Ctrl+C copies the selected row as JSON, exactly as received; with text selected it copies that", async () => {
    const writeText = fakeClipboard();
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
    const writeText = fakeClipboard();
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
