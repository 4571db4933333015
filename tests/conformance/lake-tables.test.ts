import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LAKE_TABLES } from "#pipeline/batch/lake-tables.ts";
import { openDuckDb, sqlName, sqlText, type DuckDb } from "#storage/duckdb/open-duckdb.ts";
import { streamCells } from "#storage/duckdb/read-cells.ts";
import type { DataFolder } from "#storage/files/data-folder.ts";
import { hasExtensions, HOW_TO_GET_EXTENSIONS } from "#storage/lake/conformance-tools.test-support.ts";
import { recount } from "#storage/lake/lake.test-support.ts";
import { hasPyarrow, readWithPyarrow } from "#storage/lake/parquet/pyarrow.test-support.ts";
import { comparable } from "#storage/lake/parquet/random-table.test-support.ts";
import { readByExtension } from "#storage/lake/read-by-extension.test-support.ts";
import { toSnapshotId } from "#storage/model/brand.ts";
import { qualifiedName, type CellValue, type TableDef } from "#storage/model/table.ts";
import { openReader } from "../support/dump-lake.ts";
import { EngineRun } from "../support/engine-run.ts";
import type { Wish } from "../support/fast-settings.ts";
import { PYARROW_TYPES } from "../support/pyarrow-types.ts";
import { testScope, type Scope } from "../support/scope.ts";

const EVENTS = 1_200;
/** Reading one of them takes the extension about a quarter of a second. */
const MAX_SNAPSHOTS = 60;

/** Some hundred snapshots of which about half expire, so that rows of kept ones lie hot, sealed, and in files of open windows. */
const SMALL_BATCHES: Wish = { lake: { liveBatchMs: 10, liveBatchRecords: 15, keepAllMs: 2_000 } };

/** A lake of the demo feed's rows, through seals, expiry, pruning and sweeps, that nobody writes any more. */
async function finishedLake(scope: Scope): Promise<DataFolder> {
  const run = await EngineRun.start({ scope, wish: SMALL_BATCHES });
  await run.drained(EVENTS);
  await run.stop();
  return run.folder;
}

async function readFile(duckDb: DuckDb, path: string, table: TableDef): Promise<CellValue[][]> {
  const connection = await duckDb.connect();
  try {
    const names = table.columns.map((column) => sqlName(column.name)).join(", ");
    const sql = `SELECT ${names} FROM read_parquet(${sqlText(path)}) ORDER BY file_row_number`;
    const cells: CellValue[][] = table.columns.map(() => []);
    for await (const chunk of streamCells(connection, sql, table.columns)) {
      chunk.columns.forEach((part, index) => cells[index]?.push(...part));
    }
    return cells;
  } finally {
    connection.closeSync();
  }
}

/** Column names and types as DuckDB finds them in a file. */
async function describeFile(duckDb: DuckDb, path: string): Promise<string[]> {
  const connection = await duckDb.connect();
  try {
    const found = await connection.run(`DESCRIBE SELECT * FROM read_parquet(${sqlText(path)})`);
    const rows = await found.getRowsJson();
    return rows.map((row) => {
      const [name, type] = row.map((cell) => (typeof cell === "string" ? cell : ""));
      return `${name} ${PYARROW_TYPES[type ?? ""] ?? type}`;
    });
  } finally {
    connection.closeSync();
  }
}

test("a lake of real rows can be compared wherever CI runs", () => {
  const isWanted = Boolean(process.env["CI"]);
  expect(isWanted && !(hasExtensions && hasPyarrow) ? HOW_TO_GET_EXTENSIONS : "ready").toBe("ready");
});

test.skipIf(!hasExtensions)(
  "the real ducklake extension reads all ten tables at every kept snapshot as our reader does",
  async () => {
    const folder = await finishedLake(testScope());
    const reader = openReader(folder);
    try {
      const kept = reader.snapshots(100_000);
      const kinds = new Set(kept.map((snapshot) => snapshot.kind));
      expect([...kinds]).toEqual(expect.arrayContaining(["commit", "seal"]));
      // What expired and was pruned leaves holes behind it.
      expect(kept.length).toBeLessThan(Number(reader.latest()));
      const ids = kept
        .map(({ snapshotId }) => Number(snapshotId))
        .filter((id) => id > 1)
        .slice(0, MAX_SNAPSHOTS);
      const own = new Map<string, string>();
      for (const id of ids) {
        for (const table of LAKE_TABLES) {
          const { hash, rows } = await recount(reader, table, toSnapshotId(id));
          own.set(`${id}/${table.name}`, `${hash}/${rows}`);
        }
      }
      const found = await readByExtension(folder.catalog, ids, "lake");
      expect(found).toEqual(own);
      expect(found.size).toBe(ids.length * LAKE_TABLES.length);
      const empty = LAKE_TABLES.filter((table) => found.get(`${ids[0]}/${table.name}`)?.endsWith("/0"));
      expect(empty.map(qualifiedName)).toEqual([]);
    } finally {
      await reader.close();
    }
  },
);

test.skipIf(!hasPyarrow)(
  "pyarrow and DuckDB read the same values and types in every Parquet file of the lake",
  async () => {
    const scope = testScope();
    const folder = await finishedLake(scope);
    const duckDb = await openDuckDb({
      tempFolder: join(folder.tmp, "compare"),
      tempLimitBytes: 1e9,
      memoryLimitBytes: 5e8,
      threads: 1,
      allowedFolders: [folder.lakeData],
    });
    scope.onEnd(() => duckDb.close());
    const files = LAKE_TABLES.flatMap((table) => {
      const below = join(folder.lakeData, table.schema, table.name);
      const names = readdirSync(below).filter((name) => name.endsWith(".parquet"));
      return names.map((name) => ({ table, path: join(below, name) }));
    });
    expect(new Set(files.map(({ table }) => table)).size).toBe(LAKE_TABLES.length);
    const seen = readWithPyarrow(files.map(({ path }) => path));
    for (const [index, { table, path }] of files.entries()) {
      const pyarrow = seen[index];
      expect(pyarrow?.columns, path).toEqual(comparable(await readFile(duckDb, path, table)));
      expect(pyarrow?.fields.map(({ name, type }) => `${name} ${type}`)).toEqual(
        await describeFile(duckDb, path),
      );
      expect(pyarrow?.fields.map(({ name, id }) => `${name} ${id}`)).toEqual(
        table.columns.map(({ name, id }) => `${name} ${id}`),
      );
      expect(pyarrow?.metadata["highwater.table"]).toBe(qualifiedName(table));
    }
  },
);
