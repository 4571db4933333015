import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { FakeBridge } from "../../bridge/fake-bridge.test-support.ts";
import { createAppStores } from "../../stores/app-stores.ts";
import { WindowMemory } from "../../stores/window-memory.ts";
import { paintedOffsets, renderWorkbench } from "../../workbench/render-workbench.test-support.tsx";
import { commit, mix, press, startAgain } from "./live-edits.test-support.tsx";
import { exampleRowCount } from "./live-row.test-support.ts";

afterEach(cleanup);

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

  test("and the rooms of records: filter, order and widths", async () => {
    const first = await renderWorkbench();
    const { lateArrivals, deadLetters } = first.stores;
    lateArrivals.sortBy("late-by");
    lateArrivals.setFilter("enwiki");
    const [reason] = deadLetters.columns.filter(({ id }) => id === "reason");
    if (reason !== undefined) deadLetters.resize(reason, 222);
    const { stores } = await startAgain(first);
    expect(stores.lateArrivals.store.getState()).toMatchObject({
      filter: "enwiki",
      sort: { column: "late-by", direction: "descending" },
    });
    expect(stores.deadLetters.store.getState()).toMatchObject({ filter: "", widths: { reason: 222 } });
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
