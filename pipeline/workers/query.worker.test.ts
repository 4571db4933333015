import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openLakeWriter } from "#storage/lake/lake-writer.ts";
import { toOffset, toSourceName } from "#storage/model/brand.ts";
import { systemClock } from "#storage/model/clock.ts";
import { DEFAULT_SETTINGS } from "#storage/model/settings.ts";
import type { CellValue, TableBatch, TableDef } from "#storage/model/table.ts";
import { LAKE_TABLES } from "../batch/lake-tables.ts";
import { bronzeTable } from "../bronze/bronze-table.ts";
import type { QueryRequest } from "../protocol/query-messages.ts";
import type { FromWorker, ToWorker } from "../protocol/worker-messages.ts";
import { silverTable } from "../silver/silver-table.ts";

const SOURCE = toSourceName("live");
const T0 = Date.UTC(2026, 10, 30, 12) * 1000;
let root = "";
let child: ChildProcess;
let messages: FromWorker[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "highwater-query-worker-"));
  messages = [];
  child = fork(join(import.meta.dirname, "query.worker.ts"), [], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.on("message", (message: FromWorker) => messages.push(message));
  send({ type: "start", worker: "query", dataFolder: root });
});
afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
  rmSync(root, { recursive: true, force: true });
});

function send(message: ToWorker): void {
  child.send(message);
}

let seq = 0;
function ask(request: QueryRequest): { seq: number; reply: Promise<FromWorker> } {
  seq += 1;
  const own = seq;
  send({ type: "query", seq: own, request });
  return {
    seq: own,
    reply: arrived((message) => "seq" in message && message.seq === own && message.type !== "pong"),
  };
}

async function arrived(isWanted: (message: FromWorker) => boolean): Promise<FromWorker> {
  let found: FromWorker | undefined;
  await expect
    .poll(
      () => {
        found = messages.find(isWanted);
        return found !== undefined;
      },
      { timeout: 15_000, interval: 5 },
    )
    .toBe(true);
  if (found === undefined) throw new Error("no message");
  return found;
}

function batch(
  table: TableDef,
  rows: number,
  known: Readonly<Record<string, (row: number) => CellValue>>,
): TableBatch {
  const columns = table.columns.map((column) =>
    Array.from({ length: rows }, (_, row): CellValue => {
      const give = known[column.name];
      if (give !== undefined) return give(row);
      if (column.nullable) return null;
      if (column.type === "timestamptz") return T0 + row * 1000;
      if (column.type === "int64") return row;
      return column.type === "boolean" ? row % 2 === 0 : `${column.name}-${row}`;
    }),
  );
  return { table, rowCount: rows, columns };
}

async function commitRows(rows: number): Promise<void> {
  const folder = dataFolderAt(root);
  const writer = await openLakeWriter({
    folder,
    tables: LAKE_TABLES,
    settings: DEFAULT_SETTINGS.lake,
    clock: systemClock,
  });
  const common = { source: () => SOURCE, log_offset: (row: number) => row + 1 };
  await writer.commit({
    source: SOURCE,
    fromOffset: toOffset(1),
    toOffset: toOffset(rows),
    receivedMinMs: T0 / 1000,
    receivedMaxMs: T0 / 1000,
    appends: [
      batch(bronzeTable, rows, { ...common, raw: (row) => `{"n":${row + 1}}` }),
      batch(silverTable, rows, { ...common, title: (row) => `Title ${row + 1}` }),
    ],
    upserts: [],
    amends: [],
    ledger: [],
    gaps: [],
    state: {
      source: SOURCE,
      checkpoint: toOffset(rows),
      watermarkUs: null,
      maxEventTimeUs: null,
      horizonOffset: toOffset(0),
      sourceCursor: null,
      extra: "{}",
    },
    mode: "live",
  });
  await writer.close();
}

test("starts without a lake, refuses until one is there, and answers every question from then on", async () => {
  await arrived((message) => message.type === "ready");
  const early = await ask({ ask: "tables", asOf: null }).reply;
  expect(early).toMatchObject({ type: "refused", error: { code: "snapshot-unknown", kind: "user" } });
  await commitRows(20);

  const live = await ask({ ask: "live-rows", source: "live", fromOffset: 0, toOffset: 1000, limit: 3 }).reply;
  expect(live).toMatchObject({
    type: "answer",
    response: {
      checkpoint: 20,
      rows: [{ logOffset: 18 }, { logOffset: 19 }, { logOffset: 20, title: "Title 20" }],
    },
  });
  const record = await ask({ ask: "record", source: "live", logOffset: 7 }).reply;
  expect(record).toMatchObject({
    response: { record: { table: "bronze.recentchange", raw: `{"n":7}`, bytes: null } },
  });
  expect(record).toMatchObject({ response: { record: { commit: { fromOffset: expect.any(Number) } } } });
  expect(JSON.stringify(record)).toContain(`{"name":"event_time","value":"2026-11-30T12:00:00.006000Z"}`);
  const tables = await ask({ ask: "tables", asOf: null }).reply;
  expect(tables).toMatchObject({ response: { tables: { length: LAKE_TABLES.length } } });
  const snapshots = await ask({ ask: "snapshots", limit: 1 }).reply;
  expect(snapshots).toMatchObject({
    response: { snapshots: [{ kind: "commit", source: "live", toOffset: 20 }] },
  });
  const sql = await ask({
    ask: "sql",
    text: "SELECT title FROM silver.changes ORDER BY log_offset",
    asOf: null,
    limit: 2,
  }).reply;
  expect(sql).toMatchObject({
    response: {
      page: { columns: [{ name: "title", type: "VARCHAR" }], rows: [["Title 1"], ["Title 2"]] },
      total: 20,
      truncated: true,
    },
  });
  const path = join(root, "out.ndjson");
  const exported = await ask({
    ask: "export",
    sql: null,
    table: "silver.changes",
    asOf: null,
    path,
    format: "ndjson",
    writtenBy: "a test",
  }).reply;
  expect(exported).toMatchObject({ response: { rows: 20 } });
  const refused = await ask({ ask: "sql", text: "DROP TABLE x", asOf: null, limit: 2 }).reply;
  expect(refused).toMatchObject({ type: "refused", error: { code: "statement-refused" } });
  // A lake made by hand, without a log and a control record, is not one that the pipeline would have made.
  const verify = await ask({ ask: "verify", source: null, manifestPath: null, asOf: null }).reply;
  expect(verify).toMatchObject({ response: { ask: "verify", verdict: "broken" } });
  const past = await ask({ ask: "verify", source: null, manifestPath: null, asOf: 0 }).reply;
  expect(past).toMatchObject({ type: "refused", error: { code: "usage" } });
  const wrong = await ask({ ask: "live-rows", source: "../x", fromOffset: 0, toOffset: 1, limit: 1 }).reply;
  expect(wrong).toMatchObject({ type: "refused", error: { code: "usage" } });
});

test("answers pings while a statement runs, cancels it by number, and ends cleanly in the middle of another", async () => {
  await arrived((message) => message.type === "ready");
  await commitRows(3);
  const text = "SELECT count(*) FROM range(1000000000) a, range(1000) b WHERE (a.range ^ b.range) % 7 = 3";
  const slow = ask({ ask: "sql", text, asOf: null, limit: 1 });
  send({ type: "ping", seq: 9000 });
  await arrived((message) => message.type === "pong" && message.seq === 9000);
  send({ type: "telemetry-ack" });
  await arrived(
    (message) =>
      message.type === "telemetry" && message.telemetry.worker === "query" && message.telemetry.running === 1,
  );
  send({ type: "cancel", seq: slow.seq });
  expect(await slow.reply).toMatchObject({ type: "refused", error: { code: "statement-cancelled" } });

  const other = ask({ ask: "sql", text, asOf: null, limit: 1 });
  const exit = once(child, "exit");
  send({ type: "stop" });
  expect(await other.reply).toMatchObject({ type: "refused", error: { code: "statement-cancelled" } });
  expect(await exit).toEqual([0, null]);
});
