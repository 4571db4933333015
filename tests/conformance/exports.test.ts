import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { LAKE_TABLES } from "#pipeline/batch/lake-tables.ts";
import { sqlText } from "#storage/duckdb/open-duckdb.ts";
import { hasPyarrow, readWithPyarrow } from "#storage/lake/parquet/pyarrow.test-support.ts";
import type { ExportManifest } from "#storage/query/export-manifest.ts";
import { openQuerySession, type QuerySession } from "#storage/query/query-session.ts";
import { EngineRun } from "../support/engine-run.ts";
import { PYARROW_TYPES } from "../support/pyarrow-types.ts";
import { testScope, type Scope } from "../support/scope.ts";

const EVENTS = 800;
const never = new AbortController().signal;

/** A session over a lake of the demo feed's rows that nobody writes any more. */
async function finishedLake(scope: Scope): Promise<QuerySession> {
  const run = await EngineRun.start({ scope });
  await run.drained(EVENTS);
  await run.stop();
  const session = openQuerySession({ folder: run.folder });
  scope.onEnd(() => session.close());
  return session;
}

async function exportAll(session: QuerySession, format: "parquet" | "csv" | "ndjson"): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), "highwater-export-")), "all");
  await session.exportSet({ tables: "all", asOf: null, folder, format, writtenBy: "a test" }, never);
  return folder;
}

function manifestOf(folder: string): ExportManifest {
  return JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as ExportManifest;
}

test.skipIf(!hasPyarrow)(
  "pyarrow opens every exported table with the types of the manifest: instants with their zone, numbers as numbers",
  async () => {
    const folder = await exportAll(await finishedLake(testScope()), "parquet");
    const { files } = manifestOf(folder);
    expect(files).toHaveLength(LAKE_TABLES.length);
    const seen = readWithPyarrow(files.map(({ file }) => join(folder, file)));
    for (const [index, { file, rows, columns }] of files.entries()) {
      expect(seen[index]?.rows, file).toBe(rows);
      expect(seen[index]?.fields.map(({ name, type }) => `${name} ${type}`)).toEqual(
        columns.map(({ name, type }) => `${name} ${PYARROW_TYPES[type] ?? type}`),
      );
    }
  },
);

test("a plain DuckDB reads the same values from Parquet, CSV and NDJSON of one snapshot, missing ones and empty texts apart", async () => {
  const session = await finishedLake(testScope());
  const [parquet = "", csv = "", ndjson = ""] = await Promise.all(
    (["parquet", "csv", "ndjson"] as const).map((format) => exportAll(session, format)),
  );
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run("SET TimeZone = 'Asia/Kolkata'");
  for (const { file, columns, rows } of manifestOf(parquet).files) {
    const [stem] = file.split(".parquet");
    const types = columns.map(({ name, type }) => `${sqlText(name)}: ${sqlText(type)}`).join(", ");
    const fromParquet = `read_parquet(${sqlText(join(parquet, file))})`;
    const others = [
      `read_csv(${sqlText(join(csv, `${stem}.csv`))}, header = true, columns = {${types}}, allow_quoted_nulls = false)`,
      `read_json(${sqlText(join(ndjson, `${stem}.ndjson`))}, format = 'newline_delimited', columns = {${types}}, maximum_object_size = 100000000)`,
    ];
    for (const other of others) {
      const differs = `SELECT count(*)::INTEGER AS n FROM ((FROM ${fromParquet} EXCEPT ALL FROM ${other}) UNION ALL (FROM ${other} EXCEPT ALL FROM ${fromParquet}))`;
      const found = await connection.runAndReadAll(differs);
      expect(found.getRowObjects(), other).toEqual([{ n: 0 }]);
    }
    expect(
      (await connection.runAndReadAll(`SELECT count(*)::INTEGER AS n FROM ${fromParquet}`)).getRowObjects(),
    ).toEqual([{ n: rows }]);
  }
  connection.closeSync();
});
