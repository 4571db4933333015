import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { paintedOffsets, renderWorkbench } from "../../workbench/render-workbench.test-support.tsx";
import { exampleRow, exampleRowCount, exampleRows } from "./live-row.test-support.ts";

afterEach(cleanup);

function press(key: string): void {
  fireEvent.keyDown(document.body, { key });
}

async function commit(bridge: { commit: (checkpoint: number) => void }, checkpoint: number): Promise<void> {
  await act(async () => bridge.commit(checkpoint));
}

describe("live edits", () => {
  test("shows the newest rows first and takes each commit as it is announced", async () => {
    const { bridge } = await renderWorkbench();
    await commit(bridge, 1_005);
    await waitFor(() => expect(paintedOffsets()[0]).toBe(1_005));
    await commit(bridge, 1_008);
    await waitFor(() => expect(paintedOffsets().slice(0, 4)).toEqual([1_008, 1_007, 1_006, 1_005]));
    expect(paintedOffsets().length).toBeLessThan(100);
  });

  test("Space pauses: nothing moves, the waiting rows are counted, and resuming leaves no gap", async () => {
    const { bridge, stores } = await renderWorkbench();
    await commit(bridge, 1_005);
    await waitFor(() => expect(paintedOffsets()[0]).toBe(1_005));
    press(" ");
    await commit(bridge, 2_345);
    const waiting = exampleRowCount(2_345) - exampleRowCount(1_005);
    expect(screen.getByText(`Paused · ${waiting.toLocaleString("en-US")} rows wait`)).toBeTruthy();
    expect(paintedOffsets()[0]).toBe(1_005);
    press(" ");
    await waitFor(() => expect(paintedOffsets()[0]).toBe(2_345));
    const { rows, coveredFrom, coveredTo } = stores.liveEdits.store.getState().window;
    expect(coveredTo).toBe(2_345);
    expect(rows.map((row) => row.logOffset)).toEqual(
      exampleRows(coveredFrom, coveredTo).map((row) => row.logOffset),
    );
  });

  test("after a pause longer than the window says what it passed over and that scrolling brings it", async () => {
    const { bridge, stores } = await renderWorkbench();
    await commit(bridge, 1_005);
    press(" ");
    await commit(bridge, 20_000);
    press(" ");
    await waitFor(() => expect(screen.getByText(/More waited than the window keeps/)).toBeTruthy());
    await act(async () => stores.liveEdits.fetchOlder());
    await waitFor(() => expect(stores.liveEdits.store.getState().window.coveredFrom).toBe(18_001));
  });

  test("filters by every word, from the key / on, and says how many match", async () => {
    const { bridge } = await renderWorkbench((fake) => {
      fake.rows = (from, to) =>
        exampleRows(from, to).map((row) =>
          row.logOffset % 100 === 5 ? { ...row, title: "Gare de Lyon" } : row,
        );
    });
    await commit(bridge, 1_005);
    press("/");
    const input = screen.getByLabelText("Filter rows");
    expect(document.activeElement).toBe(input);
    fireEvent.change(input, { target: { value: "lyon gare" } });
    expect(paintedOffsets()).toEqual([1_005, 905, 805, 705, 605, 505, 405, 305, 205, 105, 5]);
    expect(screen.getByText("11 of 905 shown")).toBeTruthy();
    fireEvent.change(input, { target: { value: "nothing has this" } });
    expect(screen.getByText(/No row in view matches/)).toBeTruthy();
  });

  test("paints hostile text as text: no HTML, bidi and control marks as symbols, long titles cut", async () => {
    const { bridge } = await renderWorkbench((fake) => {
      fake.rows = () => [
        exampleRow(1, { title: "<img src=x onerror=alert(1)><script>alert(1)</script>" }),
        exampleRow(2, { title: "user\u202Egnp.exe", user: "a\u0000b" }),
        exampleRow(3, { title: "W".repeat(10_000) }),
        exampleRow(4, { title: "قائمة مدن المغرب", wiki: "arwiki" }),
        exampleRow(5, { title: null, user: null, bytesChanged: null }),
      ];
    });
    await commit(bridge, 5);
    await waitFor(() => expect(paintedOffsets()).toEqual([5, 4, 3, 2, 1]));
    expect(document.querySelectorAll(".rows img, .rows script")).toHaveLength(0);
    expect(screen.getByText("<img src=x onerror=alert(1)><script>alert(1)</script>")).toBeTruthy();
    expect(screen.getByText("RLO").title).toBe("U+202E");
    expect(screen.getByText("NUL")).toBeTruthy();
    expect(document.querySelector('[data-offset="3"] .title')?.textContent).toHaveLength(301);
    expect(screen.getByText("قائمة مدن المغرب").getAttribute("dir")).toBe("auto");
    expect(screen.getByText("قائمة مدن المغرب").tagName).toBe("BDI");
  });

  test("J, K and Enter select and inspect; the raw JSON is a tree; Esc closes and the stream goes on", async () => {
    const { bridge } = await renderWorkbench();
    await commit(bridge, 1_005);
    await waitFor(() => expect(paintedOffsets()[0]).toBe(1_005));
    for (const key of ["j", "j", "j", "k", "Enter"]) press(key);
    await waitFor(() => expect(screen.getByText("silver.changes")).toBeTruthy());
    expect(bridge.called("live.record").at(-1)?.args).toEqual({ logOffset: 1_004 });
    expect(screen.getByText("1200 ms")).toBeTruthy();
    expect(screen.getByText("none yet")).toBeTruthy();
    expect(screen.getByText("2026-11-30 12:00:00.000Z")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: /Difference/ }));
    expect(bridge.called("link.open").at(-1)?.args).toEqual({
      url: "https://en.wikipedia.org/w/index.php?diff=99",
    });
    fireEvent.click(screen.getByRole("tab", { name: "JSON" }));
    expect(screen.queryByText("id-1004")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: /meta/ }));
    expect(screen.getByText("id-1004")).toBeTruthy();
    expect(document.querySelectorAll(".inspector img")).toHaveLength(0);
    press("Escape");
    expect(screen.queryByLabelText("Inspector")).toBeNull();
    await commit(bridge, 1_009);
    expect(paintedOffsets()[0]).toBe(1_005);
    press("Escape");
    await waitFor(() => expect(paintedOffsets()[0]).toBe(1_009));
  });

  test("says what will be here while there is nothing, and why", async () => {
    await renderWorkbench((fake) => {
      fake.status = { ...fake.status, pipeline: null, ingest: null };
    });
    expect(screen.getByText("Edits appear here as they are committed to the lake.")).toBeTruthy();
    expect(screen.getByText("The source is starting.")).toBeTruthy();
  });

  test("keeps the rows when a fetch fails, says so, and tries again with the next status", async () => {
    const { bridge } = await renderWorkbench();
    await commit(bridge, 1_005);
    await waitFor(() => expect(paintedOffsets()[0]).toBe(1_005));
    bridge.error = {
      code: "worker-gone",
      kind: "transient",
      message: "The query worker restarts",
      details: {},
    };
    await commit(bridge, 1_006);
    await waitFor(() => expect(screen.getByText(/The query worker restarts/)).toBeTruthy());
    expect(paintedOffsets()[0]).toBe(1_005);
    bridge.error = null;
    await commit(bridge, 1_007);
    await waitFor(() => expect(paintedOffsets()[0]).toBe(1_007));
    expect(screen.queryByText(/The query worker restarts/)).toBeNull();
  });

  test("starts anew when another source or data folder takes over", async () => {
    const { bridge } = await renderWorkbench();
    await commit(bridge, 1_005);
    await waitFor(() => expect(paintedOffsets()[0]).toBe(1_005));
    press("j");
    await act(async () => bridge.commit(2_001, { dataFolder: "/elsewhere", source: "demo", mode: "demo" }));
    await waitFor(() => expect(paintedOffsets()[0]).toBe(2_001));
    expect(screen.queryByText(/Paused/)).toBeNull();
  });
});
