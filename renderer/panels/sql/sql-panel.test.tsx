import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { renderWorkbench } from "../../workbench/render-workbench.test-support.tsx";
import { MAX_HISTORY, MAX_ROWS } from "./sql-room.ts";

afterEach(cleanup);
// jsdom says that it is Safari, for which CodeMirror asks the document; no other engine is asked.
beforeAll(() => void Object.assign(document, { execCommand: () => false }));

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

async function openSql(): Promise<Awaited<ReturnType<typeof renderWorkbench>>> {
  const rendered = await renderWorkbench((bridge) => {
    bridge.sql = { snapshotId: 42, page: PAGE, total: 5_000, truncated: true, elapsedMs: 12 };
  });
  await act(async () => rendered.stores.workbench.setState({ activePanel: "sql" }));
  return rendered;
}

describe("SQL", () => {
  test("Ctrl+Enter runs the draft at the picked snapshot and shows rows, total, snapshot and types exactly", async () => {
    const { bridge, stores } = await openSql();
    await act(async () => {
      stores.sqlRoom.setText("SELECT 1");
      stores.sqlRoom.setAsOf(42);
    });
    fireEvent.keyDown(document.body, { key: "Enter", ctrlKey: true });
    await waitFor(() => expect(screen.getByText(/2 of 5,000 rows · snapshot #42/)).toBeTruthy());
    expect(bridge.called("sql.run")[0]?.args).toMatchObject({ text: "SELECT 1", asOf: 42, limit: MAX_ROWS });
    expect(screen.getByText("170141183460469231731687303715884105727")).toBeTruthy();
    expect(screen.getByText("<b>x</b>")).toBeTruthy();
    expect(screen.getByText("NULL")).toBeTruthy();
    expect(screen.getByText("HUGEINT")).toBeTruthy();
  });

  test("an error is shown as it came and the rows before stay", async () => {
    const { bridge, stores } = await openSql();
    await act(() => stores.sqlRoom.run());
    bridge.error = { code: "statement-failed", kind: "user", message: "LINE 1: no such column", details: {} };
    await act(() => stores.sqlRoom.run());
    expect(screen.getByRole("alert").textContent).toContain("LINE 1: no such column");
    expect(screen.getByText("enwiki")).toBeTruthy();
  });

  test("a run can be cancelled by the name it was given, and only one runs at a time", async () => {
    const { bridge, stores } = await openSql();
    const first = stores.sqlRoom.run();
    const second = stores.sqlRoom.run();
    stores.sqlRoom.cancel();
    await act(() => Promise.all([first, second]));
    expect(bridge.called("sql.run")).toHaveLength(1);
    expect(bridge.called("run.cancel")[0]?.args).toEqual({ runId: "sql-1" });
  });

  test("the draft survives another tab, and the history is bounded and without repeats", async () => {
    const { stores } = await openSql();
    for (let n = 0; n < MAX_HISTORY + 5; n += 1) {
      stores.sqlRoom.setText(`SELECT ${n}`);
      await act(() => stores.sqlRoom.run());
      await act(() => stores.sqlRoom.run());
    }
    await act(async () => stores.workbench.setState({ activePanel: "live-edits" }));
    await act(async () => stores.workbench.setState({ activePanel: "sql" }));
    const { text, history } = stores.sqlRoom.store.getState();
    expect(text).toBe(`SELECT ${MAX_HISTORY + 4}`);
    expect(history).toHaveLength(MAX_HISTORY);
    expect(new Set(history).size).toBe(MAX_HISTORY);
  });

  test("saving writes the statement that is shown at its snapshot, and says where, how many and the hash", async () => {
    const { bridge, stores } = await openSql();
    await act(() => stores.sqlRoom.run());
    bridge.exported = {
      snapshotId: 42,
      path: "/home/user/result.parquet",
      manifestPath: "/home/user/result.parquet.manifest.json",
      rows: 5_000,
      openRows: null,
      bytes: 20_000,
      sha256: "ab12",
    };
    const ran = stores.sqlRoom.store.getState().result?.text;
    stores.sqlRoom.setText("SELECT 'typed since'");
    fireEvent.click(screen.getByRole("button", { name: /as Parquet/ }));
    await waitFor(() => expect(screen.getByRole("status").textContent).toContain("SHA-256 ab12"));
    expect(bridge.called("export.save")[0]?.args).toMatchObject({
      what: { sql: ran },
      asOf: 42,
      format: "parquet",
    });
    fireEvent.click(screen.getByRole("button", { name: "Show in folder" }));
    expect(bridge.called("export.show")[0]?.args).toEqual({ path: "/home/user/result.parquet" });
  });
});
