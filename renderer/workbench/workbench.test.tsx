import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import { exampleIngest, examplePipeline, EXAMPLE_NOW_MS } from "#main/bridge/status.test-support.ts";
import { renderWorkbench } from "./render-workbench.test-support.tsx";

afterEach(cleanup);

describe("workbench", () => {
  test("shows the banner and its one action tells main what to do", async () => {
    const { bridge } = await renderWorkbench();
    const action = { label: "Use the demo feed", command: "source.use-demo" } as const;
    const banner = {
      id: "unreachable",
      tone: "warn",
      title: "Cannot be reached",
      detail: "No answer.",
      action,
    } as const;
    await act(async () => bridge.say({ banners: [banner] }));
    expect(screen.getByText("Cannot be reached")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Use the demo feed" }));
    expect(bridge.called("source.use-demo")).toHaveLength(1);
    await act(async () => bridge.say({ banners: [] }));
    expect(screen.queryByText("Cannot be reached")).toBeNull();
  });

  test("shows the worst of several banners and says how many more; each of them can be reached", async () => {
    const { bridge } = await renderWorkbench();
    const banner = (id: string, tone: "bad" | "warn" | "info") =>
      ({ id, tone, title: `Title ${id}`, detail: "Do this.", action: null }) as const;
    await act(async () =>
      bridge.say({ banners: [banner("a", "bad"), banner("b", "warn"), banner("c", "info")] }),
    );
    expect(screen.getByRole("alert").textContent).toContain("Title a");
    expect(screen.queryByText("Title b")).toBeNull();
    const more = screen.getByRole("button", { name: "and 2 more" });
    expect(more.title).toBe("Title b\nTitle c");
    fireEvent.click(more);
    expect(screen.getByText("Title b")).toBeTruthy();
    expect(screen.getByText("Title c")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Show less" }));
    expect(screen.queryByText("Title b")).toBeNull();
    await act(async () => bridge.say({ banners: [banner("c", "info")] }));
    expect(screen.queryByRole("button", { name: /more/ })).toBeNull();
  });

  test("C49: the side bar says which settings hold since which offset, and that the file was refused", async () => {
    const { bridge } = await renderWorkbench();
    const inForce = { ...DEFAULT_RESULT_SETTINGS, allowedLatenessMs: 10_000 };
    await act(async () =>
      bridge.say({
        pipeline: examplePipeline({ settings: { sinceOffset: 4_321, inForce, rulesStillOn: [] } }),
        settingsFile: { path: "/hw/settings.json", problem: "result.dedupHorizonMs: Too small", changes: 0 },
      }),
    );
    const section = screen.getByRole("region", { name: "Settings in force" });
    expect(section.textContent).toContain("since offset4,321");
    expect(section.textContent).toContain("allowed lateness10 s");
    expect(section.textContent).toContain("rules offnone");
    expect(section.textContent).toContain("refused");
    await act(async () => bridge.say({ pipeline: null }));
    expect(section.textContent).toContain("Known with the first commit.");
  });

  test("C43: a source that only shows that it lives is not green, and open windows wait for a newer event", async () => {
    const { bridge } = await renderWorkbench();
    const lastEditMs = EXAMPLE_NOW_MS - 90_000;
    await act(async () =>
      bridge.say({ pipeline: examplePipeline({ filteredSinceEdit: 9, lastEditMs, openWindowRows: 7 }) }),
    );
    const source = document.querySelector('[data-item="source"]');
    expect(source?.textContent).toBe("live · recentchange · alive, no edits for 1 m 30 s");
    expect(source?.className).toContain("tone-none");
    expect(document.querySelector('[data-item="waiting"]')?.textContent).toBe(
      "7 rows wait for a newer event",
    );
    expect(screen.getByRole("region", { name: "Sources" }).textContent).toContain("alive, no edits");
    await act(async () => bridge.say({ pipeline: examplePipeline() }));
    expect(document.querySelector('[data-item="waiting"]')).toBeNull();
    expect(source?.className).toContain("tone-ok");
  });

  test("the live feed in the list is the one that was named, not always Wikimedia's", async () => {
    const { bridge } = await renderWorkbench();
    const liveFeed = { source: "url-mirror-1", url: "https://mirror.example/v2/stream/recentchange" };
    await act(async () => bridge.say({ mode: "demo", source: "demo", liveFeed }));
    expect(screen.getByRole("button", { name: /url-mirror-1/ }).title).toContain(liveFeed.url);
  });

  test("says it when main could not do what was asked", async () => {
    const { bridge } = await renderWorkbench();
    bridge.error = {
      code: "data-folder-in-use",
      kind: "user",
      message: "The demo folder is in use",
      details: {},
    };
    fireEvent.click(screen.getByRole("button", { name: /demo feed/ }));
    await waitFor(() => expect(screen.getByText("The demo folder is in use")).toBeTruthy());
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.queryByText("The demo folder is in use")).toBeNull();
  });

  test("the ledger shows what was counted and never claims that it balances", async () => {
    await renderWorkbench();
    const ledger = screen.getByRole("region", { name: "Ledger" });
    expect(ledger.textContent).toContain("dead letter41");
    expect(ledger.textContent).toContain("in flight47");
    expect(ledger.textContent).toContain("balancenot checked");
    expect(ledger.textContent).not.toMatch(/balanced/);
  });

  test("Ctrl+Shift+P lists every command with its key; typing narrows, Enter runs, Esc closes", async () => {
    const { bridge } = await renderWorkbench();
    fireEvent.keyDown(document.body, { key: "P", ctrlKey: true, shiftKey: true });
    const input = screen.getByRole("combobox");
    expect(screen.getAllByRole("option").length).toBeGreaterThan(10);
    fireEvent.change(input, { target: { value: "> source try" } });
    expect(screen.getAllByRole("option")).toHaveLength(1);
    fireEvent.keyDown(input, { key: "Enter" });
    await waitFor(() => expect(bridge.called("source.retry")).toHaveLength(1));
    expect(screen.queryByRole("combobox")).toBeNull();
    fireEvent.keyDown(document.body, { key: "F1" });
    fireEvent.keyDown(screen.getByRole("combobox"), { key: "Escape" });
    expect(screen.queryByRole("combobox")).toBeNull();
  });

  test("typing in the filter does not pause or select", async () => {
    const { bridge, stores } = await renderWorkbench();
    await act(async () => bridge.commit(1_005));
    const input = screen.getByLabelText("Filter rows");
    input.focus();
    for (const key of [" ", "j", "Enter"]) fireEvent.keyDown(input, { key });
    const { window, selectedOffset } = stores.liveEdits.store.getState();
    expect([window.hold, selectedOffset]).toEqual([null, null]);
  });

  test("Ctrl+B hides the side bar and brings it back", async () => {
    await renderWorkbench();
    fireEvent.keyDown(document.body, { key: "b", ctrlKey: true });
    expect(screen.queryByLabelText("Side bar")).toBeNull();
    fireEvent.keyDown(document.body, { key: "b", ctrlKey: true });
    expect(screen.getByLabelText("Side bar")).toBeTruthy();
  });

  test("Ctrl+K Ctrl+T paints the next theme and tells main", async () => {
    const { bridge } = await renderWorkbench();
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    fireEvent.keyDown(document.body, { key: "t", ctrlKey: true });
    expect(bridge.called("theme.set").at(-1)?.args).toEqual({ theme: "light" });
  });

  test("the source is green only while records arrive", async () => {
    const { bridge } = await renderWorkbench();
    const source = () => document.querySelector('[data-item="source"]');
    await waitFor(() => expect(source()?.className).toContain("tone-ok"));
    const connection = { state: "open", sinceMs: EXAMPLE_NOW_MS, receiving: false } as const;
    await act(async () => bridge.say({ ingest: exampleIngest({ connection }) }));
    expect(source()?.className).toContain("tone-none");
    expect(source()?.textContent).toBe("live · recentchange · connected, no records");
  });

  test("leaves no listener behind when the window closes", async () => {
    const { bridge } = await renderWorkbench();
    expect(bridge.listenerCount).toBe(3);
    cleanup();
    expect(bridge.listenerCount).toBe(0);
  });
});
