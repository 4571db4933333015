import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { examplePipeline, EXAMPLE_NOW_MS } from "#main/bridge/status.test-support.ts";
import type { FakeBridge } from "../../bridge/fake-bridge.test-support.ts";
import { paintedOffsets, renderWorkbench } from "../../workbench/render-workbench.test-support.tsx";
import { answerStatements } from "./record-rooms.test-support.ts";
import { ROOM_ROWS } from "./record-room.ts";

afterEach(cleanup);

const T = EXAMPLE_NOW_MS;

function lateAnswers(bridge: FakeBridge): void {
  answerStatements(bridge, [
    [
      /lateness_histogram/,
      { from_ms: [0, 1_000, 600_000], to_ms: [1_000, 5_000, null], row_count: [800, 82, 7] },
    ],
    [/count\(\*\)/, { late_rows: [7], largest_ms: [158_000] }],
    [
      /ORDER BY log_offset/,
      {
        log_offset: [900, 450],
        event_ms: [T - 300_000, T - 400_000],
        received_ms: [T, T - 1],
        watermark_ms: [T - 142_000, T - 399_000],
        late_by_ms: [158_000, 1_000],
        wiki: ["enwiki", "arwiki"],
        type: ["edit", "new"],
        title: ["<img src=x onerror=alert(1)>", null],
        user_name: ["a\u202Eb", "Ann"],
      },
    ],
  ]);
}

function letterAnswers(bridge: FakeBridge): void {
  answerStatements(bridge, [
    [
      /minutes_ago/,
      {
        rule_id: ["json", "json"],
        reason_code: ["not-json", "not-json"],
        minutes_ago: [0, 3],
        letters: [2, 28],
      },
    ],
    [
      /GROUP BY rule_id/,
      {
        rule_id: ["json", "schema"],
        reason_code: ["not-json", "missing"],
        letters: [30, 11],
        last_ms: [T, T],
      },
    ],
    [
      /ORDER BY log_offset/,
      {
        log_offset: [700, 600],
        received_ms: [T, T - 1],
        rule_id: ["json", "schema"],
        reason_code: ["not-json", "missing"],
        size_bytes: [12, 1_200],
        head: ['{"a\u0000', "{}"],
      },
    ],
  ]);
}

function press(key: string): void {
  fireEvent.keyDown(document.body, { key });
}

async function open(name: string): Promise<void> {
  await act(async () => void fireEvent.click(screen.getByRole("button", { name })));
  await waitFor(() => expect(paintedOffsets().length).toBeGreaterThan(0));
}

describe("late arrivals", () => {
  test("shows the count beside the ledger's of the same snapshot, the lateness of each row and the buckets", async () => {
    const { bridge } = await renderWorkbench(lateAnswers);
    await open("Late arrivals");
    expect(paintedOffsets()).toEqual([900, 450]);
    expect(document.querySelector(".room-facts")?.textContent).toContain(
      "late arrivals7equals the ledger of this snapshotsnapshot27,310",
    );
    expect(document.querySelector('[data-offset="900"] .late-by')?.textContent).toBe("2 m 38 s");
    const bars = [...document.querySelectorAll(".lateness li")].map((bar) => bar.textContent);
    expect(bars).toEqual(["0 – 1 s800", "1 s – 5 s82", "5 s – 10 m0", "10 m and more7"]);
    expect(screen.getByText("newest 2 of 7 rows")).toBeTruthy();
    expect(document.querySelectorAll(".rows img")).toHaveLength(0);
    const asked = bridge.called("sql.run").map(({ args }) => args);
    expect(asked).toHaveLength(3);
    for (const args of asked) expect(args).toMatchObject({ asOf: 27_310, limit: ROOM_ROWS });
  });

  test("J, K, Enter, / and Esc mean this room while it is open", async () => {
    const { bridge, stores } = await renderWorkbench(lateAnswers);
    await open("Late arrivals");
    screen.getByRole("tab", { name: "Late arrivals" }).focus();
    for (const key of ["j", "j"]) press(key);
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "Enter" });
    await waitFor(() => expect(screen.getByLabelText("Inspector").textContent).toContain("silver.changes"));
    expect(bridge.called("live.record").at(-1)?.args).toEqual({ logOffset: 450 });
    expect(stores.liveEdits.store.getState().selectedOffset).toBeNull();
    press("Escape");
    expect(screen.queryByLabelText("Inspector")).toBeNull();
    press("/");
    expect(document.activeElement).toBe(screen.getByLabelText("Filter rows"));
    fireEvent.change(screen.getByLabelText("Filter rows"), { target: { value: "arwiki -edit" } });
    expect(paintedOffsets()).toEqual([450]);
    expect(screen.getByText("1 of the newest 2 of 7 rows shown")).toBeTruthy();
  });

  test("reads again when the checkpoint moved, but not within 5 s and not while another room is open", async () => {
    const { bridge } = await renderWorkbench(lateAnswers);
    await act(async () => bridge.say({ pipeline: examplePipeline({ checkpoint: 954 }) }));
    expect(bridge.called("sql.run")).toHaveLength(0);
    await open("Late arrivals");
    expect(bridge.called("sql.run")).toHaveLength(3);
    await act(async () => bridge.say({ pipeline: examplePipeline({ checkpoint: 955 }), atMs: T + 4_999 }));
    expect(bridge.called("sql.run")).toHaveLength(3);
    await act(async () => bridge.say({ pipeline: examplePipeline({ checkpoint: 955 }), atMs: T + 5_000 }));
    expect(bridge.called("sql.run")).toHaveLength(6);
    await act(async () => bridge.say({ pipeline: examplePipeline({ checkpoint: 955 }), atMs: T + 15_000 }));
    expect(bridge.called("sql.run")).toHaveLength(6);
  });

  test("keeps what it shows when the lake cannot be read, says why, and F5 reads again", async () => {
    const { bridge } = await renderWorkbench(lateAnswers);
    await open("Late arrivals");
    bridge.error = { code: "worker-gone", kind: "transient", message: "It restarts", details: {} };
    await act(async () => press("F5"));
    await waitFor(() => expect(screen.getByText(/It restarts/)).toBeTruthy());
    expect(paintedOffsets()).toEqual([900, 450]);
    bridge.error = null;
    await act(async () => press("F5"));
    await waitFor(() => expect(screen.queryByText(/It restarts/)).toBeNull());
  });

  test("forgets the rows of a source that was left", async () => {
    const { bridge, stores } = await renderWorkbench(lateAnswers);
    await open("Late arrivals");
    await act(async () => bridge.say({ source: "demo", mode: "demo" }));
    expect(stores.lateArrivals.store.getState().answer).toBeNull();
    expect(paintedOffsets()).toEqual([]);
  });
});

describe("dead letters", () => {
  test("the status bar opens it; the groups add up to the ledger of the snapshot; a group filters by a statement", async () => {
    const { bridge } = await renderWorkbench(letterAnswers);
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "41 dead letters" })));
    await waitFor(() => expect(paintedOffsets()).toEqual([700, 600]));
    expect(document.querySelector(".room-facts")?.textContent).toContain(
      "dead letters41equals the ledger of this snapshot",
    );
    expect(screen.getByText("NUL").className).toBe("mark");
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: /not-json/ })));
    expect(JSON.stringify(bridge.called("sql.run").at(-1)?.args)).toContain("= 'json · not-json' ORDER BY");
    await waitFor(() => expect(screen.getByText("newest 2 of 30 rows")).toBeTruthy());
  });

  test("says it when the groups do not add up to the ledger", async () => {
    const { bridge } = await renderWorkbench(letterAnswers);
    const ledger = { ...examplePipeline().ledger, dead_letter: 42 };
    await act(async () => bridge.say({ pipeline: examplePipeline({ ledger }) }));
    await open("Dead letters");
    expect(screen.getByText("the ledger of this snapshot says 42").className).toBe("tone-bad");
  });

  test("the ledger's rows open their rooms", async () => {
    const { stores } = await renderWorkbench(letterAnswers);
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: /^dead letter\d/ })));
    expect(stores.workbench.getState().activePanel).toBe("dead-letters");
  });
});
