import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
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
      /late_by_ms::DOUBLE AS late_by_ms/,
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
      /left\(raw/,
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

  test("a header sorts by a statement, so that the most of all rows come and not of those on screen; it is kept", async () => {
    const { bridge, stores } = await renderWorkbench(lateAnswers);
    await open("Late arrivals");
    const lastRows = (): string =>
      bridge
        .called("sql.run")
        .map(({ args }) => JSON.stringify(args))
        .findLast((args) => args.includes("late_by_ms::DOUBLE")) ?? "";
    expect(lastRows()).toContain("ORDER BY log_offset DESC");
    await act(async () => void fireEvent.click(screen.getByRole("columnheader", { name: "late by" })));
    expect(lastRows()).toContain("ORDER BY late_by_ms DESC, log_offset DESC LIMIT 1000");
    expect(screen.getByText("first 2 of 7 rows")).toBeTruthy();
    const head = screen.getByRole("columnheader", { name: "late by" });
    expect(head.getAttribute("aria-sort")).toBe("descending");
    await act(async () => void fireEvent.keyDown(head, { key: "Enter" }));
    expect(lastRows()).toContain("ORDER BY late_by_ms ASC");
    fireEvent.keyDown(head, { key: "ArrowRight", shiftKey: true });
    expect(stores.memory.get("late-arrivals.view")).toMatchObject({
      sort: { column: "late-by", direction: "ascending" },
      widths: { "late-by": 1_016 },
    });
    await act(async () => void fireEvent.click(screen.getByRole("columnheader", { name: "title" })));
    expect(lastRows()).toContain("ORDER BY late_by_ms ASC");
  });

  test("draws the watermark from what statuses told, and a click on a late row's dot selects it", async () => {
    const { bridge, stores } = await renderWorkbench(lateAnswers);
    for (let second = 0; second < 5; second += 1) {
      const watermarkMs = T - 120_000 + second * 1_000;
      await act(async () =>
        bridge.say({ pipeline: examplePipeline({ watermarkMs }), atMs: T + second * 1_000 }),
      );
    }
    await open("Late arrivals");
    const chart = screen.getByRole("img", { name: "The watermark over the last 2 minutes with 2 late rows" });
    expect(chart.querySelector(".line")?.getAttribute("points")?.split(" ")).toHaveLength(5);
    const [dot] = chart.querySelectorAll(".dot");
    expect(dot?.textContent).toContain("2 m 38 s below the watermark");
    if (dot !== undefined) fireEvent.click(dot);
    expect(stores.lateArrivals.store.getState().selectedOffset).toBe(900);
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

  test("each group has its count and its trend per minute, in words too", async () => {
    await renderWorkbench(letterAnswers);
    await open("Dead letters");
    const group = screen.getByRole("button", { name: /not-json/ });
    const words = "30 in the last 30 minutes, at most 28 in one, 2 in this one";
    expect(within(group).getByRole("img", { name: words }).querySelectorAll("rect")).toHaveLength(2);
    expect(within(group).getByText("30")).toBeTruthy();
    expect(screen.getByRole("img", { name: "none in the last 30 minutes" })).toBeTruthy();
  });

  test("a letter shows where it broke: rule, reason, trace, the place in its text, and its bytes with the first bad one", async () => {
    const raw = '{"title":"Gare de Lyon","bot":tru,"id":7}';
    await renderWorkbench((bridge) => {
      letterAnswers(bridge);
      bridge.record = (logOffset) => ({
        logOffset,
        table: "main.dead_letters",
        columns: [
          { name: "rule_id", value: "json" },
          { name: "reason_code", value: "not-json" },
          { name: "trace", value: JSON.stringify({ message: "Unexpected token" }) },
        ],
        raw,
        bytes: { headHex: "7b22c328", sizeBytes: 4 },
        commit: null,
      });
    });
    await open("Dead letters");
    press("j");
    await act(async () => press("Enter"));
    const inspector = within(screen.getByLabelText("Inspector"));
    await waitFor(() => expect(inspector.getByText("Where it broke")).toBeTruthy());
    for (const text of ["json", "not-json", "Unexpected token"])
      expect(inspector.getByText(text)).toBeTruthy();
    expect(
      inspector.getByText(/line 1, column 31 \(character 31 of 41\): a value could stand here/),
    ).toBeTruthy();
    expect(document.querySelector(".json-break .break")?.textContent).toBe("t");
    fireEvent.click(inspector.getByRole("tab", { name: "Raw text" }));
    const text = inspector.getByLabelText("Raw text");
    expect([text.textContent, text.querySelector(".break")?.textContent]).toEqual([raw, "t"]);
    fireEvent.click(inspector.getByRole("tab", { name: "Bytes" }));
    expect(inspector.getByText(/byte 3 is no UTF-8/)).toBeTruthy();
    const bytes = inspector.getByLabelText("Bytes");
    expect(bytes.textContent).toContain("000000  7b 22 c3 28");
    expect(bytes.querySelector(".break")?.textContent).toBe("c3");
  });

  test("the ledger's rows open their rooms", async () => {
    const { stores } = await renderWorkbench(letterAnswers);
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: /^dead letter\d/ })));
    expect(stores.workbench.getState().activePanel).toBe("dead-letters");
  });
});
