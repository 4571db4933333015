import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { paintedOffsets, renderWorkbench } from "../../workbench/render-workbench.test-support.tsx";
import { commit, mix, mixedRows, press } from "./live-edits.test-support.tsx";
import { exampleRowCount } from "./live-row.test-support.ts";

afterEach(cleanup);

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
    expect(screen.getByText("offsets 19,001 to 20,000")).toBeTruthy();
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Load older rows" })));
    await waitFor(() => expect(screen.getByText("offsets 18,001 to 20,000")).toBeTruthy());
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
