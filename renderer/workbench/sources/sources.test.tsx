import { act, cleanup, createEvent, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { exampleIngest, examplePipeline, exampleStatus } from "#main/bridge/status.test-support.ts";
import { AppError, toWireError } from "#storage/model/errors.ts";
import { renderWorkbench } from "../render-workbench.test-support.tsx";

afterEach(cleanup);

const section = () => screen.getByRole("region", { name: "Sources" });

/** Drops files onto the window; jsdom has no DataTransfer of its own. */
async function drop(files: readonly File[]): Promise<void> {
  const event = createEvent.drop(window);
  Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], files } });
  await act(async () => void fireEvent(window, event));
}

describe("sources", () => {
  test("says what the running source last said: reconnects, cut frames, gaps by how they stand", async () => {
    const { bridge } = await renderWorkbench();
    await act(async () =>
      bridge.say({
        ingest: exampleIngest({ connections: 4, cutFrames: 2 }),
        pipeline: examplePipeline({ gaps: [{ state: "open", count: 3 }] }),
      }),
    );
    expect(section().textContent).toContain("reconnects3");
    expect(section().textContent).toContain("cut frames2");
    expect(section().textContent).toContain("gaps3 open");
  });

  test("stop closes the source, says that it was you, and start goes on", async () => {
    const { bridge } = await renderWorkbench();
    fireEvent.click(screen.getByRole("button", { name: /^Source: stop/ }));
    expect(bridge.called("source.stop")).toHaveLength(1);
    await act(async () => bridge.say({ isSourceStopped: true }));
    expect(section().textContent).toContain("stopped by you");
    expect(screen.queryByRole("button", { name: /^Source: pause/ })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: /^Source: start/ }));
    expect(bridge.called("source.start")).toHaveLength(1);
  });

  test("Ctrl+O asks for a recording, which is remembered over a restart and can be taken from the list", async () => {
    const { bridge, stores } = await renderWorkbench();
    await act(async () => void fireEvent.keyDown(document.body, { key: "o", ctrlKey: true }));
    expect(bridge.called("source.open-file")[0]?.args).toEqual({ path: null });
    expect(await screen.findByRole("button", { name: /^chosen\.ndjson/ })).toBeTruthy();
    await act(async () => stores.memory.flush());
    const { memory } = bridge;
    const again = await renderWorkbench((fresh) => {
      fresh.memory = memory;
    });
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: /^chosen\.ndjson/ })));
    expect(again.bridge.called("source.open-file")[0]?.args).toEqual({ path: "/recordings/chosen.ndjson" });
    fireEvent.click(screen.getByRole("button", { name: "Take chosen.ndjson from the list" }));
    expect(screen.queryByRole("button", { name: /^chosen\.ndjson/ })).toBeNull();
  });

  test("a dropped recording is opened, of several the first, and a refusal is told with its reason", async () => {
    const { bridge } = await renderWorkbench();
    await drop([new File(["{}"], "one.ndjson"), new File(["{}"], "two.ndjson")]);
    expect(bridge.called("source.open-file")[0]?.args).toEqual({ path: "/recordings/one.ndjson" });
    expect(await screen.findByText(/2 files were dropped/)).toBeTruthy();
    bridge.error = toWireError(new AppError("source-file-unreadable", "/recordings/x is a folder"));
    await drop([new File([], "x")]);
    expect(await screen.findByText("/recordings/x is a folder")).toBeTruthy();
  });

  test("the end of a recording is told once, when all of it is in the tables", async () => {
    const { bridge } = await renderWorkbench();
    const file = {
      ...exampleStatus(),
      mode: "file",
      source: "file-edits-abc123",
      ingest: exampleIngest({
        source: "file-edits-abc123",
        head: 900,
        connection: { state: "ended", reason: "end" },
      }),
    } as const;
    const pipeline = (checkpoint: number) => examplePipeline({ source: "file-edits-abc123", checkpoint });
    await act(async () => bridge.say({ ...file, pipeline: pipeline(800) }));
    expect(screen.queryByText(/read to its end/)).toBeNull();
    await act(async () => bridge.say({ ...file, pipeline: pipeline(900) }));
    await act(async () => bridge.say({ ...file, pipeline: pipeline(900) }));
    expect(screen.getAllByText(/read to its end/)).toHaveLength(1);
  });

  test("the data folder is shown with its parts and the free space, with a warning before the disk is full", async () => {
    const { bridge } = await renderWorkbench();
    const folder = screen.getByRole("region", { name: "Data folder" });
    expect(folder.textContent).toContain("in all162.0 MB");
    expect(folder.textContent).toContain("free on the disk80.0 GB");
    expect(folder.querySelector(".low-disk")).toBeNull();
    const { disk } = bridge.status;
    if (disk === null) throw new Error("the example has a disk");
    await act(async () => bridge.say({ disk: { ...disk, freeBytes: 400_000_000 } }));
    expect(folder.querySelector(".low-disk")?.textContent).toContain("almost full");
    fireEvent.click(screen.getByRole("button", { name: /show it in the file manager/ }));
    await waitFor(() => expect(bridge.called("folder.show")).toHaveLength(1));
  });
});
