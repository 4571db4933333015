/**
 * Reads a lake with DuckDB's own ducklake extension, as any other program would, and prints one JSON line per table and
 * snapshot. A process of its own, because two SQLite libraries in one process drop each other's file locks.
 * Arguments: catalog path, snapshot ids separated by commas or `follow` (newest snapshot again and again until stdin ends),
 * `test` (tables of lake.test-support.ts) or `lake` (the product's).
 */
import { createInterface } from "node:readline";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { LAKE_TABLES } from "#pipeline/batch/lake-tables.ts";
import { sqlText } from "#storage/duckdb/open-duckdb.ts";
import { streamCells } from "#storage/duckdb/read-cells.ts";
import { extensionPath } from "./conformance-tools.test-support.ts";
import { addHash, batchHash } from "./hash/row-hash.ts";
import { TEST_TABLES } from "./lake.test-support.ts";

const tables = process.argv[4] === "lake" ? LAKE_TABLES : TEST_TABLES;

async function readVersion(connection: DuckDBConnection, version: number): Promise<void> {
  for (const table of tables) {
    let [hash, rows] = [0n, 0];
    const columns = table.columns.map((column) => `"${column.name}"`).join(", ");
    const sql = `SELECT ${columns} FROM lake."${table.schema}"."${table.name}" AT (VERSION => ${version})`;
    for await (const chunk of streamCells(connection, sql, table.columns)) {
      hash = addHash(hash, batchHash({ table, ...chunk }));
      rows += chunk.rowCount;
    }
    process.stdout.write(`${JSON.stringify({ version, table: table.name, hash: String(hash), rows })}\n`);
  }
}

async function main(catalogPath: string, versions: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`LOAD ${sqlText(extensionPath("sqlite_scanner"))}`);
  await connection.run(`LOAD ${sqlText(extensionPath("ducklake"))}`);
  await connection.run(`ATTACH ${sqlText(`ducklake:sqlite:${catalogPath}`)} AS lake (READ_ONLY)`);
  if (versions !== "follow") {
    for (const version of versions.split(",")) await readVersion(connection, Number(version));
    return;
  }
  let isOver = false;
  createInterface(process.stdin).on("close", () => (isOver = true));
  while (!isOver) {
    const newest = await connection.runAndReadAll("SELECT max(snapshot_id) FROM lake.snapshots()");
    await readVersion(connection, Number(newest.getRows()[0]?.[0] ?? 0));
  }
}

const [catalogPath = "", versions = ""] = process.argv.slice(2);
await main(catalogPath, versions);
process.exit(0);
