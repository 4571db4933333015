import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  EXAMPLE_NOW_MS,
  exampleBatch,
  examplePipeline,
  exampleWorker,
} from "#main/bridge/status.test-support.ts";
import type { KillProgress } from "#main/contract/kill-card.ts";
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

/** What a station says, in one line. */
function station(name: string): string {
  return document.querySelector(`[data-station="${name}"]`)?.textContent ?? "";
}

const RUNNING: KillProgress = {
  nth: 7,
  startedMs: EXAMPLE_NOW_MS,
  worker: "pipeline",
  reached: "asked",
  failpoint: null,
  inFlight: null,
  pid: 102,
  killedAtMs: null,
  backMs: null,
  recoveryMs: null,
};

describe("a record's journey", () => {
  test("shows both sides of each hop with counts and rates, and every way out beside it", async () => {
    await openRoom();
    expect(station("source")).toContain("47.2/s");
    expect(station("log")).toMatch(/in1,00047.2\/sout95347.0\/slag47/);
    expect(station("checks")).toMatch(/in95347.0\/s↳ dead letters410.4\/s↳ filtered30.2\/s↳ other1/);
    expect(station("checks")).toMatch(/out90846.4\/s/);
    expect(station("dedup")).toMatch(/in90846.4\/s↳ duplicates191.2\/sout88945.2\/s/);
    expect(station("lake")).toMatch(/bronze88945.2\/ssilver88945.2\/s↳ late70.6\/s/);
    expect(station("snapshot")).toMatch(/#27,310.*watermark\d\d:58:00behind now2 m/);
  });

  test("the sides of every hop balance: nothing goes in that does not come out or leave at a named place", async () => {
    const { ledger } = examplePipeline();
    const count = (hop: string): number => ledger[hop] ?? 0;
    await openRoom();
    const shown = (name: string, label: string): number => {
      const row = [...document.querySelectorAll(`[data-station="${name}"] .passage`)].find(
        (one) => one.querySelector("dt")?.textContent?.replace("↳ ", "") === label,
      );
      return Number(row?.querySelector(".count")?.textContent?.replace(",", ""));
    };
    const left = ["dead letters", "filtered", "other"].reduce(
      (sum, label) => sum + shown("checks", label),
      0,
    );
    expect(shown("checks", "in")).toBe(left + shown("checks", "out"));
    expect(shown("dedup", "in")).toBe(shown("checks", "out"));
    expect(shown("dedup", "in")).toBe(shown("dedup", "duplicates") + shown("dedup", "out"));
    expect(shown("lake", "bronze")).toBe(count("bronze"));
  });

  test("a click on a hop or a way out opens its room", async () => {
    const { stores } = await openRoom();
    const rooms: string[] = [];
    for (const [name, label] of [
      ["checks", "Checks"],
      ["lake", "↳ late"],
      ["lake", "Lake"],
    ] as const) {
      await act(async () => stores.workbench.setState({ activePanel: "pipeline" }));
      const box = document.querySelector<HTMLElement>(`[data-station="${name}"]`);
      if (box === null) throw new Error(`no station ${name}`);
      await act(async () => void fireEvent.click(within(box).getByRole("button", { name: label })));
      rooms.push(stores.workbench.getState().activePanel);
    }
    expect(rooms).toEqual(["dead-letters", "late-arrivals", "tables"]);
  });
});

describe("charts", () => {
  test("say in words what they show, for who cannot see them", async () => {
    await openRoom();
    const name = /Freshness: p50 0.14 s · p99 0.31 s · objective 120 s met 100 %; 1 m shown, 0 marks/;
    expect(screen.getByRole("img", { name }).tabIndex).toBe(0);
    expect(screen.getByRole("img", { name: /Lag: 47 records behind now/ })).toBeTruthy();
    expect(screen.getByRole("img", { name: /in 47.2\/s, out 47.0\/s/ })).toBeTruthy();
  });

  test("a mark opens what it stands for: the kill's card, the worker that ended, the batch of the burst", async () => {
    const { bridge, stores } = await openRoom();
    const lastExit = { atMs: EXAMPLE_NOW_MS + 100, how: "SIGKILL" };
    const workers = [exampleWorker("pipeline", 7, { lastExit }), exampleWorker("ingest", 8, { lastExit })];
    const burst = exampleBatch({ nth: 2, snapshotId: 27_311 });
    const late = { ...burst, counts: { ...burst.counts, late: 15 } };
    const steps = { beganMs: EXAMPLE_NOW_MS - 60_000, newest: [exampleBatch(), late] };
    await act(async () => {
      bridge.say({ workers, pipeline: examplePipeline({ steps }), atMs: EXAMPLE_NOW_MS + 1_000 });
      const killedAtMs = lastExit.atMs - 20;
      bridge.sayKill({
        running: null,
        cards: [exampleKillCard({ nth: 2 }), exampleKillCard({ killedAtMs })],
      });
    });
    const click = (name: RegExp) =>
      act(async () => void fireEvent.click(screen.getByRole("button", { name })));
    await click(/SIGKILL pipeline/);
    expect(document.querySelector(".kill-card")?.getAttribute("data-nth")).toBe("1");
    await click(/SIGKILL ingest/);
    expect(document.querySelector("li.pointed")?.getAttribute("data-worker")).toBe("ingest");
    await click(/burst of 15 late arrivals/);
    expect(document.querySelector(".batch-row.pointed")?.textContent).toContain("#27,311");
    act(() => stores.pipelineRoom.zoom({ fromMs: EXAMPLE_NOW_MS + 2_000, toMs: EXAMPLE_NOW_MS + 9_000 }));
    expect(document.querySelector(".mark-flag")).toBeNull();
    await act(async () => void fireEvent.keyDown(document.body, { key: "0" }));
    expect(stores.pipelineRoom.store.getState().zoom).toBeNull();
  });
});

describe("last batches", () => {
  test("list the newest commits first, mark seals, and say how many were not seen", async () => {
    const { bridge } = await openRoom();
    const beganMs = EXAMPLE_NOW_MS - 60_000;
    const batch = exampleBatch({ nth: 14, snapshotId: 27_330, fromOffset: 1_014, toOffset: 1_033 });
    const seal = { kind: "seal", nth: 15, snapshotId: 27_331, commitTimeMs: EXAMPLE_NOW_MS } as const;
    const sealed = { ...seal, rows: 20_000, files: 9, bytes: 12_300_000, commitMs: 410 };
    await act(async () =>
      bridge.say({ pipeline: examplePipeline({ steps: { beganMs, newest: [batch, sealed] } }) }),
    );
    const table = screen.getByRole("table", { name: "Last batches" });
    const rows = within(table)
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.textContent);
    expect(rows[0]).toMatch(/#27,331.*sealed 20,000 rows into 9 files, 12.3 MB, in 0.41 s/);
    expect(rows[1]).toMatch(/#27,330.*live1,014–1,033201 ?71 dead · 1 dup · 1 filtered · 1 late243 ms0.18 s/);
    expect(rows[2]).toContain("12 batches not seen by this window (offsets 954–1,013)");
    expect(rows[3]).toMatch(/#27,310/);
  });
});

describe("kills", () => {
  test("a kill that passed says 0 lost, 0 doubled, where it was stopped and how soon it was back", async () => {
    const { bridge } = await openRoom();
    await kill("pipeline");
    expect(bridge.called("worker.kill").at(-1)?.args).toEqual({ worker: "pipeline" });
    await waitFor(() => expect(screen.getByText("0 lost · 0 doubled")).toBeTruthy());
    expect(
      screen.getByText(/killed pipeline \(pid 4711\) at commit-in, offsets 101–120 in flight/),
    ).toBeTruthy();
    expect(screen.getByText("next process up after 0.26 s")).toBeTruthy();
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
    bridge.killCard = exampleKillCard({ nth: 2, verdict: "fail", lost: 3, doubled: null });
    await kill("ingest");
    await waitFor(() => expect(screen.getByText("3 lost · not counted doubled")).toBeTruthy());
    expect(screen.getByText(/Keep the data folder as it is/)).toBeTruthy();
  });

  test("while a kill runs no other can be ordered, and every step says what is known of it", async () => {
    const { bridge } = await openRoom();
    const say = (more: Partial<KillProgress>) =>
      act(async () => bridge.sayKill({ running: { ...RUNNING, ...more }, cards: [] }));
    const current = () => document.querySelector(".steps .now")?.textContent?.trim();
    await say({});
    expect(current()).toBe("arm a failpoint");
    expect(document.querySelectorAll("fieldset:disabled")).toHaveLength(3);
    await say({ reached: "armed", failpoint: "commit-in" });
    expect(current()).toBe("stop inside its work");
    const inFlight = { fromOffset: 954, toOffset: 973 };
    await say({ reached: "stopped", failpoint: "commit-in", inFlight });
    expect(screen.getByText("stopped inside at offsets 954–973")).toBeTruthy();
    expect(current()).toBe("kill");
    await say({ reached: "back", inFlight, killedAtMs: EXAMPLE_NOW_MS, backMs: 230 });
    expect(screen.getByText("back after 0.23 s")).toBeTruthy();
    expect(current()).toBe("next commit of new records");
    await say({ reached: "committed", inFlight, killedAtMs: EXAMPLE_NOW_MS, backMs: 230, recoveryMs: 410 });
    expect(current()).toBe("verify the lake");
    await act(async () => bridge.sayKill({ running: null, cards: [exampleKillCard()] }));
    expect(document.querySelector(".steps")).toBeNull();
    expect(document.querySelector(".kill-card")).toBeTruthy();
  });

  test("a kill under way and the last cards are there again after the window was loaded anew", async () => {
    await openRoom((fake) => {
      fake.kills = { running: { ...RUNNING, reached: "armed" }, cards: [exampleKillCard({ nth: 6 })] };
    });
    await waitFor(() => expect(document.querySelector(".steps .now")).toBeTruthy());
    expect(document.querySelector(".kill-card")?.getAttribute("data-nth")).toBe("6");
  });

  test("the last cards can be looked at again, and copied as text and JSON", async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined);
    Object.assign(navigator, { clipboard: { writeText } });
    const { bridge } = await openRoom();
    const older = exampleKillCard({ nth: 1, worker: "ingest", verdict: "inconclusive", reason: "quiet" });
    await act(async () => bridge.sayKill({ running: null, cards: [exampleKillCard({ nth: 2 }), older] }));
    const list = within(screen.getByRole("list", { name: "Last kills" }));
    await act(async () => void fireEvent.click(list.getByRole("button", { name: /ingest/ })));
    expect(screen.getByText("Inconclusive")).toBeTruthy();
    for (const form of [/card as text/, /card as JSON/])
      await act(async () => void fireEvent.click(screen.getByRole("button", { name: form })));
    expect(writeText.mock.calls[0]?.[0]).toMatch(/^Highwater: kill 1 of the ingest worker.*\nInconclusive/);
    expect(JSON.parse(writeText.mock.calls[1]?.[0] ?? "")).toEqual(older);
  });

  test("the demo feed has a kill button, a source that is no worker of ours has none", async () => {
    const { bridge } = await openRoom();
    expect(screen.queryByRole("button", { name: /kill the feed worker/ })).toBeNull();
    await act(async () => bridge.say({ workers: [exampleWorker("feed", 9)] }));
    await kill("feed");
    expect(bridge.called("worker.kill").at(-1)?.args).toEqual({ worker: "feed" });
  });

  test("says why an order was refused, and what will be here while there is nothing", async () => {
    const { bridge } = await openRoom((fake) => {
      fake.status = { ...fake.status, pipeline: null, ingest: null };
    });
    expect(screen.getByText("The line begins with the first commit.")).toBeTruthy();
    expect(screen.getByText(/Every commit will stand here/)).toBeTruthy();
    expect(screen.getByText(/Kill a worker: it is stopped inside its work/)).toBeTruthy();
    bridge.error = { code: "usage", kind: "user", message: "A kill is under way.", details: {} };
    await kill("query");
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("A kill is under way."));
  });
});
