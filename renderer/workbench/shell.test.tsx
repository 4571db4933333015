import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { EXAMPLE_NOW_MS } from "#main/bridge/status.test-support.ts";
import { renderWorkbench } from "./render-workbench.test-support.tsx";

afterEach(cleanup);

describe("shell", () => {
  test("Ctrl+P finds rooms at once and pages in the lake; a page opens Live edits filtered by it", async () => {
    const { bridge, stores } = await renderWorkbench();
    bridge.sql = {
      ...bridge.sql,
      page: {
        columns: [
          { name: "wiki", type: "VARCHAR" },
          { name: "title", type: "VARCHAR" },
          { name: "edits", type: "BIGINT" },
        ],
        rows: [["enwiki", "O'Brien <b>", 12]],
      },
    };
    fireEvent.keyDown(document.body, { key: "p", ctrlKey: true });
    const input = screen.getByRole("combobox");
    fireEvent.change(input, { target: { value: "pipe" } });
    expect(screen.getAllByRole("option")[0]?.textContent).toContain("Pipeline");
    fireEvent.change(input, { target: { value: "o'br" } });
    const page = await screen.findByRole("option", { name: /O'Brien <b>/ });
    expect(page.textContent).toContain("enwiki · 12 edits");
    expect(bridge.called("sql.run").at(-1)?.args).toMatchObject({ text: expect.stringContaining("'o''br'") });
    fireEvent.click(page);
    await waitFor(() => expect(stores.liveEdits.store.getState().filter.text).toBe("O'Brien <b>"));
    expect(stores.liveEdits.store.getState().filter.wikis).toEqual(["enwiki"]);
    expect(stores.workbench.getState()).toMatchObject({ activePanel: "live-edits", palette: null });
  });

  test("Ctrl+J opens the bottom panel; Problems lists what needs attention with what to do", async () => {
    const { bridge } = await renderWorkbench();
    const phase = { state: "hanging", pid: 7, sinceMs: EXAMPLE_NOW_MS - 3_000 } as const;
    await act(async () => bridge.say({ workers: [{ name: "ingest", phase, restarts: 0, lastExit: null }] }));
    fireEvent.keyDown(document.body, { key: "j", ctrlKey: true });
    const panel = screen.getByRole("region", { name: "Bottom panel" });
    expect(panel.textContent).toContain("The ingest worker does not answer");
    bridge.logs = { ingest: "2026-11-30T12:00:00.000Z warn told <b>bold</b>\n" };
    fireEvent.click(screen.getByRole("button", { name: "Show its log" }));
    await waitFor(() => expect(bridge.called("logs.read").at(-1)?.args).toMatchObject({ name: "ingest" }));
    expect(await screen.findByText(/told <b>bold<\/b>/)).toBeTruthy();
    fireEvent.keyDown(document.body, { key: "j", ctrlKey: true });
    expect(screen.queryByRole("region", { name: "Bottom panel" })).toBeNull();
  });

  test("History says what happened to workers, banners and settings, newest first", async () => {
    const { bridge, stores } = await renderWorkbench();
    const lastExit = { atMs: EXAMPLE_NOW_MS, how: "SIGKILL" };
    const workers = bridge.status.workers.map((worker) =>
      worker.name === "pipeline" ? { ...worker, restarts: 1, lastExit } : worker,
    );
    await act(async () => bridge.say({ workers }));
    await act(async () => bridge.say({ workers }));
    await act(async () => stores.workbench.setState({ bottomView: "history" }));
    const lines = screen.getByRole("list", { name: "History" }).querySelectorAll("li");
    expect([...lines].map((line) => line.querySelector(".what")?.textContent)).toEqual([
      "The pipeline worker ended: SIGKILL",
      "The app started with recentchange",
    ]);
  });

  test("tabs: a closed room can be opened again, a split stands beside the others, and a restart brings both back", async () => {
    const { bridge, stores } = await renderWorkbench();
    const tabs = () => screen.getAllByRole("tab").map((tab) => tab.textContent);
    const groups = () => document.querySelectorAll(".dv-groupview").length;
    const all = tabs();
    fireEvent.keyDown(document.body, { key: "2", ctrlKey: true });
    await waitFor(() => expect(stores.workbench.getState().activePanel).toBe("pipeline"));
    fireEvent.keyDown(document.body, { key: "w", ctrlKey: true });
    await waitFor(() => expect(tabs()).toEqual(all.filter((title) => title !== "Pipeline")));
    fireEvent.keyDown(document.body, { key: "T", ctrlKey: true, shiftKey: true });
    await waitFor(() => expect(stores.workbench.getState().activePanel).toBe("pipeline"));
    fireEvent.keyDown(document.body, { key: "\\", ctrlKey: true });
    await waitFor(() => expect(groups()).toBe(2));
    await act(async () => stores.memory.flush());
    const memory = bridge.memory;
    const again = await renderWorkbench((fresh) => {
      fresh.memory = memory;
    });
    expect(groups()).toBe(2);
    expect(again.stores.workbench.getState().activePanel).toBe("pipeline");
  });

  test("a layout of another build is replaced by the first one", async () => {
    const { stores } = await renderWorkbench((fresh) => {
      const layout = { grid: {}, panels: { "no-such-room": {} } };
      fresh.memory = JSON.stringify({ "layout.tabs": layout, "layout.shell": { sideBarWidth: -4 } });
    });
    expect(screen.getAllByRole("tab").length).toBeGreaterThan(3);
    expect(stores.workbench.getState()).toMatchObject({ activePanel: "live-edits", sideBarWidth: 264 });
  });

  test("Welcome: three steps that are done when they were seen, and it stays closed once it was closed", async () => {
    const { bridge, stores } = await renderWorkbench();
    const step = (id: string) => document.querySelector(`[data-step="${id}"]`);
    expect(step("connect")?.getAttribute("data-done")).toBe("true");
    expect(step("kill")?.getAttribute("data-done")).toBe("false");
    fireEvent.click(screen.getByRole("button", { name: "Kill the pipeline and check" }));
    await waitFor(() => expect(step("kill")?.textContent).toContain("0 lost, 0 doubled"));
    expect(step("kill")?.getAttribute("data-done")).toBe("true");
    fireEvent.click(screen.getByRole("button", { name: /Welcome: show or hide/ }));
    expect(screen.queryByRole("region", { name: "Welcome" })).toBeNull();
    await act(async () => stores.memory.flush());
    const memory = bridge.memory;
    await renderWorkbench((fresh) => {
      fresh.memory = memory;
    });
    expect(screen.queryByRole("region", { name: "Welcome" })).toBeNull();
  });

  test("Welcome: an inconclusive kill is not a step that is done", async () => {
    const { bridge } = await renderWorkbench();
    bridge.killCard = {
      ...bridge.killCard,
      verdict: "inconclusive",
      reason: "nothing was in flight",
      lost: null,
    };
    fireEvent.click(screen.getByRole("button", { name: "Kill the pipeline and check" }));
    await waitFor(() =>
      expect(document.querySelector('[data-step="kill"]')?.textContent).toContain(
        "Inconclusive: nothing was in flight",
      ),
    );
    expect(document.querySelector('[data-step="kill"]')?.getAttribute("data-done")).toBe("false");
  });
});
