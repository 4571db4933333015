import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { EXAMPLE_NOW_MS, examplePipeline, exampleWorker } from "#main/bridge/status.test-support.ts";
import { exampleKillCard, type FakeBridge } from "#renderer/bridge/fake-bridge.test-support.ts";
import { renderWorkbench } from "../../workbench/render-workbench.test-support.tsx";

afterEach(cleanup);

async function openRoom(prepare?: (bridge: FakeBridge) => void) {
  const room = await renderWorkbench(prepare);
  await act(async () => room.stores.workbench.setState({ activePanel: "pipeline" }));
  return room;
}

async function kill(name: string): Promise<void> {
  await act(async () => {
    fireEvent.click(screen.getByRole("button", { name: new RegExp(`kill the ${name} worker`) }));
  });
}

describe("pipeline room", () => {
  test("shows the way of a record with the numbers of the status", async () => {
    await openRoom();
    const stations = within(screen.getByRole("group", { name: "A record's journey" }));
    for (const text of ["47.2/s", "1,000", "41", "19", "953", "#27,310", "checkpoint · lag 47"])
      expect(stations.getByText(text)).toBeTruthy();
    expect(screen.getByText(/p50 0.14 s · p99 0.31 s · objective 120 s met 100 % · lag 47/)).toBeTruthy();
  });

  test("a kill that passed says 0 lost, 0 doubled, where it was stopped and how soon it was back", async () => {
    const { bridge } = await openRoom();
    await kill("pipeline");
    expect(bridge.called("worker.kill").at(-1)?.args).toEqual({ worker: "pipeline" });
    await waitFor(() => expect(screen.getByText("0 lost · 0 doubled")).toBeTruthy());
    expect(
      screen.getByText(/killed pipeline \(pid 4711\) at commit-in, offsets 101–120 in flight/),
    ).toBeTruthy();
    expect(screen.getByText("next commit of new records in 0.42 s")).toBeTruthy();
    expect(screen.getByText("bronze rows 90 at #100 → 130 at #104")).toBeTruthy();
  });

  test("an inconclusive kill never shows zeros, a failed one says how many and what to do", async () => {
    const { bridge } = await openRoom((fake) => {
      fake.killCard = exampleKillCard({ verdict: "inconclusive", reason: "no batch came" });
    });
    await kill("ingest");
    await waitFor(() => expect(screen.getByText("Inconclusive")).toBeTruthy());
    expect(screen.queryByText(/0 lost/)).toBeNull();
    bridge.killCard = exampleKillCard({ verdict: "fail", lost: 3, doubled: null });
    await kill("ingest");
    await waitFor(() => expect(screen.getByText("3 lost · not counted doubled")).toBeTruthy());
    expect(screen.getByText(/Keep the data folder as it is/)).toBeTruthy();
  });

  test("while a kill runs no other can be ordered, and its step follows the status", async () => {
    const { bridge, stores } = await openRoom();
    const answers: (() => void)[] = [];
    const answer = new Promise<void>((resolve) => answers.push(resolve));
    const invoke = bridge.invoke;
    Object.assign(bridge, {
      invoke: async (...call: Parameters<typeof invoke>) => {
        if (call[0] === "worker.kill") await answer;
        return invoke(...call);
      },
    });
    await kill("pipeline");
    const current = () => document.querySelector(".steps .now")?.textContent?.trim();
    expect(current()).toBe("stop inside its work");
    expect(document.querySelectorAll("fieldset:disabled")).toHaveLength(3);
    const lastExit = { atMs: EXAMPLE_NOW_MS + 1_000, how: "SIGKILL" };
    const workers = [exampleWorker("pipeline", 7, { restarts: 1, lastExit })];
    await act(async () => bridge.say({ workers }));
    expect(current()).toBe("at work again");
    await act(async () =>
      bridge.say({ pipeline: examplePipeline({ commitTimeMs: EXAMPLE_NOW_MS + 1_400 }) }),
    );
    expect(current()).toBe("verify the lake");
    expect(screen.getByText(/1 restart · SIGKILL/)).toBeTruthy();
    expect(screen.getByText("SIGKILL pipeline")).toBeTruthy();
    await act(async () => answers.forEach((release) => release()));
    await waitFor(() => expect(stores.pipelineRoom.store.getState().running).toBeNull());
    expect(document.querySelector(".steps")).toBeNull();
  });

  test("says why an order was refused, and what will be here while there is nothing", async () => {
    const { bridge } = await openRoom((fake) => {
      fake.status = { ...fake.status, pipeline: null, ingest: null };
    });
    expect(screen.getByText("The line begins with the first commit.")).toBeTruthy();
    expect(screen.getByText(/Kill a worker: it is stopped inside its work/)).toBeTruthy();
    bridge.error = { code: "usage", kind: "user", message: "A kill is under way.", details: {} };
    await kill("query");
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("A kill is under way."));
  });
});
