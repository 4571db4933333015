import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defineColumns } from "../model/table.ts";
import { openDuckDb, type DuckDb } from "./open-duckdb.ts";
import { streamCells } from "./read-cells.ts";

let folder = "";
const opened: DuckDb[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "highwater-duckdb-"));
});
afterEach(async () => {
  for (const duckdb of opened.splice(0)) await duckdb.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(): Promise<DuckDb> {
  const limits = { tempLimitBytes: 1e8, memoryLimitBytes: 2e8, threads: 1 };
  const duckdb = await openDuckDb({
    tempFolder: join(folder, "spill"),
    allowedFolders: [join(folder, "in")],
    ...limits,
  });
  opened.push(duckdb);
  return duckdb;
}

async function refusal(duckdb: DuckDb, sql: string): Promise<string> {
  const connection = await duckdb.connect();
  try {
    await connection.run(sql);
    return "it ran";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    connection.closeSync();
  }
}

test("reads files of the allowed folder and of no other, whoever asks", async () => {
  const duckdb = await open();
  await mkdir(join(folder, "in"));
  for (const place of ["in/a.csv", "b.csv"]) await writeFile(join(folder, place), "x\n1\n");
  expect(await refusal(duckdb, `FROM read_csv('${join(folder, "in/a.csv")}')`)).toBe("it ran");
  expect(await refusal(duckdb, `FROM read_csv('${join(folder, "b.csv")}')`)).toMatch(/Permission Error/);
  expect(await refusal(duckdb, `FROM read_csv('${join(folder, "in/../b.csv")}')`)).toMatch(
    /Permission Error/,
  );
  expect(await refusal(duckdb, `ATTACH '${join(folder, "x.db")}'`)).toMatch(/Permission Error/);
});

test.each([
  "SET memory_limit = '1TB'",
  "SET enable_external_access = true",
  "SET temp_directory = '/'",
  "INSTALL httpfs",
  "LOAD httpfs",
])("cannot be talked out of its limits by %s", async (sql) => {
  expect(await refusal(await open(), sql)).toMatch(/locked|disabled|not allowed|Permission|Cannot/i);
});

test("each instance spills into a folder of its own that is gone after closing; what a dead process left is removed", async () => {
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  await mkdir(join(folder, "spill", `duckdb-${dead}-abc`), { recursive: true });
  await mkdir(join(folder, "spill", "somebody-elses"));
  const [one, two] = [await open(), await open()];
  const own = await readdir(join(folder, "spill"));
  expect(own.filter((name) => name.startsWith(`duckdb-${process.pid}-`))).toHaveLength(2);
  expect(own).not.toContain(`duckdb-${dead}-abc`);
  await one.close();
  await two.close();
  opened.length = 0;
  expect(await readdir(join(folder, "spill"))).toEqual(["somebody-elses"]);
});

test("cells keep their exact values; an integer that is none is refused instead of rounded", async () => {
  const connection = await (await open()).connect();
  const columns = defineColumns({ i: "?int64", t: "?timestamptz", v: "?varchar", b: "?blob", f: "?boolean" });
  const sql = `VALUES (9007199254740991, make_timestamptz(-9000000000000000), 'ü😀', '\\x00\\xFF'::BLOB, true),
               (NULL, NULL, NULL, NULL, NULL)`;
  const rows: unknown[] = [];
  for await (const chunk of streamCells(connection, sql, columns)) rows.push(...chunk.columns);
  expect(rows).toEqual([
    [Number.MAX_SAFE_INTEGER, null],
    [-9_000_000_000_000_000, null],
    ["ü😀", null],
    [Uint8Array.from([0, 255]), null],
    [true, null],
  ]);
  const drain = async (query: string): Promise<void> => {
    for await (const chunk of streamCells(connection, query, defineColumns({ i: "int64" })))
      expect(chunk.rowCount).toBe(1);
  };
  await expect(drain("SELECT 9007199254740992")).rejects.toThrow(/not an exact integer/);
  await expect(drain("SELECT 'a'")).rejects.toThrow(/not an exact integer/);
  connection.closeSync();
});

test("a stream that is left early frees its connection, and one that fails late says so", async () => {
  const connection = await (await open()).connect();
  const columns = defineColumns({ i: "int64" });
  for await (const chunk of streamCells(connection, "SELECT * FROM range(10000000)", columns)) {
    expect(chunk.rowCount).toBe(2048);
    break;
  }
  const failing =
    "SELECT CASE WHEN x = 2500000 THEN error('late')::BIGINT ELSE x END FROM range(3000000) t(x)";
  const drain = async (): Promise<number> => {
    let rows = 0;
    for await (const chunk of streamCells(connection, failing, columns)) rows += chunk.rowCount;
    return rows;
  };
  await expect(drain()).rejects.toThrow(/failed after \d+ rows/);
  connection.closeSync();
});

test("a process that writes the lake starts without loading DuckDB", () => {
  const loads = `
    await import(${JSON.stringify(new URL("../lake/lake-writer.ts", import.meta.url).href)});
    process.report.excludeNetwork = true;
    console.log(process.report.getReport().sharedObjects.filter((file) => /sqlite|duckdb/.test(file)).join());`;
  const script = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", loads];
  const { stdout, stderr } = spawnSync(process.execPath, script, { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout).not.toContain("duckdb");
});
