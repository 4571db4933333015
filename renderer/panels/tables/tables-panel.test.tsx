import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { examplePipeline } from "#main/bridge/status.test-support.ts";
import type { TableInfo } from "#pipeline/protocol/query-messages.ts";
import { AppError, toWireError } from "#storage/model/errors.ts";
import type { FakeBridge } from "../../bridge/fake-bridge.test-support.ts";
import { renderWorkbench } from "../../workbench/render-workbench.test-support.tsx";

afterEach(cleanup);

function table(schema: string, name: string, more: Partial<TableInfo> = {}): TableInfo {
  const columns = [{ name: "source", type: "varchar", nullable: false }];
  const sizes = { rows: 1_234, hotRows: 34, openRows: 0, files: 2, fileBytes: 5_600_000 };
  return { schema, name, kind: "append", columns, ...sizes, ...more };
}

const TABLES = [
  table("main", "dead_letters"),
  table("gold", "top_pages_5min", { kind: "window", openRows: 50 }),
  table("silver", "changes"),
  table("bronze", "recentchange"),
];

async function openTables(prepare: (bridge: FakeBridge) => void = () => undefined) {
  const rendered = await renderWorkbench((bridge) => {
    bridge.tables = { snapshotId: 42, tables: TABLES };
    prepare(bridge);
  });
  await act(async () => rendered.stores.workbench.setState({ activePanel: "tables" }));
  return rendered;
}

const names = (): (string | null | undefined)[] =>
  screen.getAllByRole("option").map((row) => row.querySelector(".name")?.textContent);

describe("tables", () => {
  test("lists the tables in the order of the journey with their rows, and says of which snapshot", async () => {
    await openTables();
    expect(names()).toEqual(["recentchange", "changes", "top_pages_5min", "dead_letters"]);
    expect(screen.getByRole("option", { name: /changes/ }).textContent).toContain("1,234");
    expect(screen.getByText("Newest snapshot #42")).toBeTruthy();
    const facts = document.querySelector(".table-facts")?.textContent;
    expect(facts).toContain("hot34");
    expect(facts).toContain("size of files5.6 MB");
  });

  test("arrows, letters, J and K move through the tables; windows say how many rows may still change", async () => {
    const { stores } = await openTables();
    const tree = screen.getByRole("listbox", { name: "Tables" });
    tree.focus();
    await act(async () => void fireEvent.keyDown(tree, { key: "ArrowDown" }));
    expect(stores.tablesRoom.store.getState().chosen).toBe("silver.changes");
    await act(async () => void fireEvent.keyDown(tree, { key: "t" }));
    expect(stores.tablesRoom.store.getState().chosen).toBe("gold.top_pages_5min");
    expect(document.querySelector(".table-facts")?.textContent).toContain("open rows50");
    await act(async () => void fireEvent.keyDown(tree, { key: "k" }));
    expect(stores.tablesRoom.store.getState().chosen).toBe("silver.changes");
  });

  test("the newest rows are read at the snapshot of the sizes, and hostile text in them stays text", async () => {
    const { bridge } = await openTables((fake) => {
      fake.sql = {
        ...fake.sql,
        snapshotId: 42,
        page: {
          columns: [{ name: "title", type: "VARCHAR" }],
          rows: [["<img src=x onerror=alert(1)>"], ["\u202eevil\u200b"], ["x".repeat(10_000)], [null]],
        },
      };
    });
    await act(async () => void fireEvent.click(screen.getByRole("tab", { name: "Newest rows" })));
    expect(bridge.called("sql.run").at(-1)?.args).toMatchObject({ asOf: 42, limit: 200 });
    expect(await screen.findByText("<img src=x onerror=alert(1)>")).toBeTruthy();
    expect(document.querySelector(".table-page img")).toBeNull();
    expect(screen.getByText("NULL")).toBeTruthy();
  });

  test("a picked snapshot is read by every part until Esc; one that was pruned says so and leads back", async () => {
    const { bridge } = await openTables((fake) => {
      const snapshot = { commitTimeMs: 0, kind: "commit", sealed: false, source: "demo" };
      fake.snapshots = { snapshots: [{ ...snapshot, snapshotId: 40, fromOffset: 1, toOffset: 9 }] };
    });
    await act(async () => void fireEvent.click(screen.getByRole("tab", { name: "Snapshots" })));
    bridge.tables = { snapshotId: 40, tables: TABLES };
    await act(async () => void fireEvent.click(await screen.findByRole("button", { name: /Read as of/ })));
    expect(bridge.called("lake.tables").at(-1)?.args).toEqual({ asOf: 40 });
    expect(screen.getByText("As of snapshot #40")).toBeTruthy();
    const before = bridge.called("lake.tables").length;
    await act(async () => bridge.say({ pipeline: examplePipeline({ snapshotId: 99 }), atMs: 9e15 }));
    expect(bridge.called("lake.tables")).toHaveLength(before);

    bridge.error = toWireError(new AppError("snapshot-unknown", "snapshot 40 has expired"));
    await act(async () => void fireEvent.keyDown(document.body, { key: "F5" }));
    expect((await screen.findByRole("alert")).textContent).toContain("snapshot 40 has expired");
    bridge.error = null;
    await act(
      async () => void fireEvent.click(screen.getByRole("button", { name: "Read the newest snapshot" })),
    );
    expect(bridge.called("lake.tables").at(-1)?.args).toEqual({ asOf: null });
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  });

  test("follows the newest snapshot at most every 5 s, and not while another room is open", async () => {
    const { bridge, stores } = await openTables();
    const read = () => bridge.called("lake.tables").length;
    const first = read();
    const { atMs } = bridge.status;
    await act(async () => bridge.say({ pipeline: examplePipeline({ snapshotId: 50 }), atMs: atMs + 1_000 }));
    expect(read()).toBe(first);
    await act(async () => bridge.say({ pipeline: examplePipeline({ snapshotId: 51 }), atMs: atMs + 6_000 }));
    expect(read()).toBe(first + 1);
    await act(async () => stores.workbench.setState({ activePanel: "live-edits" }));
    await act(async () => bridge.say({ pipeline: examplePipeline({ snapshotId: 52 }), atMs: atMs + 60_000 }));
    expect(read()).toBe(first + 1);
  });

  test("exports the table of the snapshot that is shown, and opens it in SQL", async () => {
    const { bridge, stores } = await openTables();
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "CSV" })));
    expect(bridge.called("export.save")[0]?.args).toMatchObject({
      what: { table: "bronze.recentchange" },
      asOf: 42,
      format: "csv",
    });
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Open in SQL" })));
    expect(stores.workbench.getState().activePanel).toBe("sql");
  });

  test("says what will be here before the first commit", async () => {
    await openTables((fake) => {
      fake.tables = { snapshotId: 0, tables: [] };
    });
    expect(screen.getByText("No tables yet: the first commit makes them.")).toBeTruthy();
  });
});
