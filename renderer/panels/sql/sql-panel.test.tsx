import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import type { WireError } from "#storage/model/errors.ts";
import type { FakeBridge } from "../../bridge/fake-bridge.test-support.ts";
import { renderWorkbench } from "../../workbench/render-workbench.test-support.tsx";
import { ranField } from "./statement-marks.ts";
import { activeDraft, MAX_HISTORY, MAX_ROWS, PAGE_CELL_CHARS } from "./sql-room.ts";

afterEach(cleanup);

const PAGE = {
  columns: [
    { name: "wiki", type: "VARCHAR" },
    { name: "n", type: "HUGEINT" },
  ],
  rows: [
    ["enwiki", "170141183460469231731687303715884105727"],
    ["<b>x</b>", null],
  ],
} as const;

type Opened = Awaited<ReturnType<typeof renderWorkbench>>;

async function openSql(memory?: string): Promise<Opened> {
  const rendered = await renderWorkbench((bridge) => {
    bridge.sql = { snapshotId: 42, page: PAGE, total: 5_000, truncated: true, elapsedMs: 12 };
    if (memory !== undefined) bridge.memory = memory;
  });
  await act(async () => rendered.stores.workbench.setState({ activePanel: "sql" }));
  return rendered;
}

const shown = ({ stores }: Opened) => activeDraft(stores.sqlRoom.store.getState());
const write = (opened: Opened, text: string): Promise<void> =>
  act(async () => opened.stores.sqlRoom.setText(text));
const run = (opened: Opened): Promise<void> => act(() => opened.stores.sqlRoom.run());

function failWith(bridge: FakeBridge, error: Partial<WireError>): void {
  bridge.error = { code: "statement-failed", kind: "user", message: "no such column", details: {}, ...error };
}

describe("a run", () => {
  test("Ctrl+Enter runs the draft at the picked snapshot and shows rows, total, snapshot and types exactly", async () => {
    const opened = await openSql();
    await write(opened, "SELECT 1");
    await act(async () => opened.stores.sqlRoom.setAsOf(42));
    fireEvent.keyDown(document.body, { key: "Enter", ctrlKey: true });
    await waitFor(() => expect(screen.getByText(/first 2 of 5,000 rows · snapshot #42/)).toBeTruthy());
    expect(opened.bridge.called("sql.run")[0]?.args).toMatchObject({
      text: "SELECT 1",
      asOf: 42,
      limit: MAX_ROWS,
      cellChars: PAGE_CELL_CHARS,
    });
    expect(screen.getByText("170141183460469231731687303715884105727")).toBeTruthy();
    expect(screen.getByText("<b>x</b>")).toBeTruthy();
    expect(screen.getByText("NULL")).toBeTruthy();
    expect(screen.getByText("HUGEINT")).toBeTruthy();
  });

  test("C25: of two statements the one at the cursor runs as it was typed, is marked, and stands so in the history", async () => {
    const opened = await openSql();
    await write(opened, "SELECT 1;\n-- head\nSELECT ';' AS x -- tail");
    await act(async () => opened.stores.sqlRoom.select(20));
    await run(opened);
    const typed = "-- head\nSELECT ';' AS x -- tail";
    expect(opened.bridge.called("sql.run")[0]?.args).toMatchObject({ text: typed });
    expect(opened.stores.sqlRoom.store.getState().history[0]).toBe(typed);
    const ran = opened.stores.sqlRoom.editors.state(shown(opened).id)?.field(ranField);
    expect(ran).toMatchObject({ from: 18, to: 33, outcome: { state: "done" } });
  });

  test("C25: comments alone are nothing to run, which is no error", async () => {
    const opened = await openSql();
    await write(opened, "-- only");
    await run(opened);
    expect(opened.bridge.called("sql.run")).toEqual([]);
    expect(screen.getByText(/Nothing to run/)).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("can be cancelled by the name it was given, and only one of a draft runs at a time", async () => {
    const opened = await openSql();
    const { sqlRoom } = opened.stores;
    const first = sqlRoom.run();
    const second = sqlRoom.run();
    const runId = shown(opened).running?.runId;
    sqlRoom.cancel();
    await act(() => Promise.all([first, second]));
    expect(opened.bridge.called("sql.run")).toHaveLength(1);
    expect(opened.bridge.called("run.cancel")[0]?.args).toEqual({ runId });
  });

  test("that was cancelled is a note and no error, and the rows before stay", async () => {
    const opened = await openSql();
    await run(opened);
    failWith(opened.bridge, { code: "statement-cancelled", message: "cancelled" });
    await run(opened);
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByText(/Cancelled/)).toBeTruthy();
    expect(screen.getByText("enwiki")).toBeTruthy();
  });
});

describe("an error", () => {
  test("C30: is shown as it came, marked at its place in the draft, named by line and column, and can be copied", async () => {
    const opened = await openSql();
    const copied: string[] = [];
    Object.assign(navigator, { clipboard: { writeText: async (text: string) => void copied.push(text) } });
    await run(opened);
    await write(opened, "SELECT 1;\n\nSELECT '😀',\t nope");
    failWith(opened.bridge, { details: { offset: 14, line: 1, column: 15 } });
    await run(opened);
    const alert = screen.getByRole("alert");
    expect(alert.textContent).toContain("no such column");
    expect(within(alert).getByRole("button", { name: "Line 3, column 15" })).toBeTruthy();
    const outcome = opened.stores.sqlRoom.editors.state(shown(opened).id)?.field(ranField)?.outcome;
    expect(outcome).toMatchObject({ state: "failed", errorAt: 25 });
    fireEvent.click(within(alert).getByRole("button", { name: "Line 3, column 15" }));
    expect(shown(opened)).toMatchObject({ anchor: 25, head: 25 });
    fireEvent.click(within(alert).getByRole("button", { name: /Copy/ }));
    expect(copied).toEqual(["Line 3, column 15: no such column"]);
    // The rows of the run before stay.
    expect(screen.getByText("enwiki")).toBeTruthy();
  });

  test("loses its mark once its statement is changed, and moves with text that is written before it", async () => {
    const opened = await openSql();
    const { sqlRoom } = opened.stores;
    await write(opened, "SELECT nope");
    failWith(opened.bridge, { details: { offset: 7, line: 1, column: 8 } });
    await run(opened);
    const { id } = shown(opened);
    const errorAt = () => {
      const outcome = sqlRoom.editors.state(id)?.field(ranField)?.outcome;
      return outcome?.state === "failed" ? outcome.errorAt : undefined;
    };
    await act(async () => sqlRoom.editors.dispatch(id, { changes: { from: 0, insert: "-- x\n" } }));
    expect(errorAt()).toBe(12);
    await act(async () => sqlRoom.editors.dispatch(id, { changes: { from: 14, insert: "x" } }));
    expect(errorAt()).toBeNull();
  });

  test("of a snapshot that is gone offers the newest one, and runs at it", async () => {
    const opened = await openSql();
    await act(async () => opened.stores.sqlRoom.setAsOf(7));
    failWith(opened.bridge, { code: "snapshot-unknown", message: "snapshot 7 is not kept (newest: 42)" });
    await run(opened);
    expect(screen.getByRole("alert").textContent).toContain("snapshot 7 is not kept");
    opened.bridge.error = null;
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: /newest snapshot/ })));
    expect(opened.bridge.called("sql.run").at(-1)?.args).toMatchObject({ asOf: null });
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  });
});

test("C30: characters that nobody sees are named with their place, and shown by a click", async () => {
  const opened = await openSql();
  await write(opened, "SELECT count(*)\nFROM t WHERE wiki = 'xxwiki\u200b'");
  const line = screen.getByText(/U\+200B zero width space at line 2, column 28/);
  fireEvent.click(within(line.closest(".message") as HTMLElement).getByRole("button", { name: "Show it" }));
  expect(shown(opened)).toMatchObject({ anchor: 43, head: 44 });
});

describe("C32: drafts", () => {
  test("a result that comes late lands in its own draft, also when its statement failed", async () => {
    const opened = await openSql();
    const { sqlRoom } = opened.stores;
    const first = shown(opened).id;
    const running = sqlRoom.run();
    await act(async () => sqlRoom.openDraft("SELECT 2"));
    await act(() => running);
    expect(shown(opened)).toMatchObject({ title: "Draft 2", text: "SELECT 2", result: null });
    expect(screen.queryByText("enwiki")).toBeNull();
    const drafts = () => sqlRoom.store.getState().drafts;
    expect(drafts().find(({ id }) => id === first)?.result?.total).toBe(5_000);
    await act(async () => sqlRoom.showDraft(first));
    expect(screen.getByText("enwiki")).toBeTruthy();
    failWith(opened.bridge, { details: { offset: 3, line: 1, column: 4 } });
    const failing = sqlRoom.run();
    await act(async () => sqlRoom.stepDraft(1));
    await act(() => failing);
    expect(screen.queryByRole("alert")).toBeNull();
    expect(sqlRoom.editors.state(first)?.field(ranField)?.outcome.state).toBe("failed");
  });

  test("each keeps its text, cursor and undo while another is shown, and closing one leaves the others alive", async () => {
    const opened = await openSql();
    const { sqlRoom } = opened.stores;
    await write(opened, "SELECT 'first'");
    await act(async () => sqlRoom.select(3, 6));
    await act(async () => sqlRoom.openDraft(""));
    await write(opened, "SELECT 'second'");
    await act(async () => sqlRoom.closeDraft());
    expect(shown(opened)).toMatchObject({ text: "SELECT 'first'", anchor: 3, head: 6 });
    await write(opened, "SELECT 'still alive'");
    expect(shown(opened).text).toBe("SELECT 'still alive'");
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Undo" })));
    expect(shown(opened)).toMatchObject({ title: "Draft 2", text: "SELECT 'second'" });
  });

  test("closing a draft cancels its statement, and what it answers goes nowhere", async () => {
    const opened = await openSql();
    const { sqlRoom } = opened.stores;
    const running = sqlRoom.run();
    const runId = shown(opened).running?.runId;
    await act(async () => sqlRoom.closeDraft());
    await act(() => running);
    expect(opened.bridge.called("run.cancel")[0]?.args).toEqual({ runId });
    expect(shown(opened)).toMatchObject({ text: "", result: null });
  });

  test("a draft that was closed and brought back takes no answer of the run before", async () => {
    const opened = await openSql();
    const { sqlRoom, notifications } = opened.stores;
    const running = sqlRoom.run();
    sqlRoom.closeDraft();
    const [told] = notifications.store.getState().open;
    told?.actions[0]?.run();
    await act(() => running);
    expect(shown(opened)).toMatchObject({ running: null, result: null });
    expect(shown(opened).text).toContain("SELECT wiki, title");
  });

  test("survive a restart with text, cursor, snapshot and the one that was shown; the history too", async () => {
    const opened = await openSql();
    const { sqlRoom, memory } = opened.stores;
    await write(opened, "SELECT 'kept'");
    await act(async () => sqlRoom.setAsOf(42));
    await run(opened);
    await act(async () => sqlRoom.openDraft("SELECT 2"));
    await act(async () => sqlRoom.stepDraft(-1));
    await act(async () => sqlRoom.select(2));
    await act(() => memory.flush());
    const again = await openSql(opened.bridge.memory ?? "");
    expect(again.stores.sqlRoom.store.getState().drafts.map(({ text }) => text)).toEqual([
      "SELECT 'kept'",
      "SELECT 2",
    ]);
    expect(shown(again)).toMatchObject({ text: "SELECT 'kept'", anchor: 2, asOf: 42, running: null });
    expect(again.stores.sqlRoom.store.getState().history).toEqual(["SELECT 'kept'"]);
    expect(document.querySelector(".sql-editor")?.shadowRoot?.textContent).toContain("kept");
  });

  test("a memory of another build, or none at all, is a fresh room", async () => {
    const saved = { "sql.drafts": { activeId: 3, drafts: [{ id: "a" }, 7, null] }, "sql.history": [1, "x"] };
    const opened = await openSql(JSON.stringify(saved));
    expect(opened.stores.sqlRoom.store.getState().drafts).toHaveLength(1);
    expect(shown(opened).text).toContain("SELECT wiki, title");
    expect(opened.stores.sqlRoom.store.getState().history).toEqual(["x"]);
  });

  test("one too long for the window's memory says so, and the others are kept", async () => {
    const opened = await openSql();
    await write(opened, `SELECT '${"x".repeat(600_000)}'`);
    await act(async () => opened.stores.sqlRoom.openDraft("SELECT 2"));
    await act(() => opened.stores.memory.flush());
    expect(opened.bridge.memory?.length).toBeLessThan(100_000);
    expect(opened.bridge.memory).toContain("SELECT 2");
    expect(screen.getAllByRole("tab").some(({ title }) => title.includes("Too long to be kept"))).toBe(true);
  });
});

test("the history is bounded and without repeats", async () => {
  const opened = await openSql();
  for (let n = 0; n < MAX_HISTORY + 5; n += 1) {
    await write(opened, `SELECT ${n}`);
    await run(opened);
    await run(opened);
  }
  await act(async () => opened.stores.workbench.setState({ activePanel: "live-edits" }));
  await act(async () => opened.stores.workbench.setState({ activePanel: "sql" }));
  expect(shown(opened).text).toBe(`SELECT ${MAX_HISTORY + 4}`);
  const { history } = opened.stores.sqlRoom.store.getState();
  expect(history).toHaveLength(MAX_HISTORY);
  expect(new Set(history).size).toBe(MAX_HISTORY);
});

test("saving writes the statement that is shown at its snapshot, not what was typed since", async () => {
  const opened = await openSql();
  await write(opened, "SELECT 'run'");
  await run(opened);
  await write(opened, "SELECT 'typed since'");
  fireEvent.click(screen.getByRole("button", { name: /Save/ }));
  await act(async () => void fireEvent.click(screen.getByRole("menuitem", { name: /as Parquet/ })));
  expect(opened.bridge.called("export.save")[0]?.args).toMatchObject({
    what: { sql: "SELECT 'run'" },
    asOf: 42,
    format: "parquet",
  });
});
