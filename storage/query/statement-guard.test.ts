import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDuckDb, sqlText, type DuckDb } from "../duckdb/open-duckdb.ts";
import { runStatement } from "./run-statement.ts";

let folder = "";
let secret = "";
let duckdb: DuckDb;
let connection: DuckDBConnection;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "highwater-guard-"));
  secret = join(folder, "secret.txt");
  await writeFile(secret, "secret");
  const limits = { tempLimitBytes: 1e8, memoryLimitBytes: 2e8, threads: 1 };
  duckdb = await openDuckDb({
    tempFolder: join(folder, "spill"),
    allowedFolders: [join(folder, "lake")],
    placesErrors: true,
    ...limits,
  });
  connection = await duckdb.connect();
  await connection.run("CREATE TABLE t AS SELECT 1 AS a, 'x' AS b");
});
afterAll(async () => {
  connection.closeSync();
  await duckdb.close();
  await rm(folder, { recursive: true, force: true });
});

const never = new AbortController().signal;
const run = (text: string, limit = 10) =>
  runStatement(connection, text, { rows: limit, keeper: null }, never);

test.each([
  "SELECT * FROM t",
  "FROM t",
  "FROM range(3)",
  "VALUES (1)",
  "TABLE t",
  "DESCRIBE t",
  "SUMMARIZE t",
  "SHOW TABLES",
  "UNPIVOT t ON a",
  "WITH x AS (SELECT 1) SELECT * FROM x",
  "EXPLAIN SELECT 1",
  "EXPLAIN (SELECT 1)",
  "EXPLAIN ANALYZE SELECT * FROM t",
  "EXPLAIN /* a */ ANALYZE -- b\n SELECT 1",
  "EXPLAIN (FORMAT json) SELECT 1",
  "PIVOT (SELECT 'a' w, 1 n) ON w IN ('a','b') USING sum(n)",
  "SELECT * FROM (PIVOT (SELECT 'a' w, 1 n) ON w IN ('a','b') USING sum(n))",
  "-- head\nSELECT 1",
  "SELECT 1 -- tail",
  "/* a ; b */ SELECT ';' AS x;;",
])("runs %s", async (text) => {
  expect((await run(text)).total).toBeGreaterThan(0);
});

test.each([
  "COPY t TO '{folder}/out.csv'",
  "COPY (SELECT 1) TO '{folder}/lake/out.parquet'",
  "EXPLAIN ANALYZE COPY (SELECT 1) TO '{folder}/lake/out.csv'",
  "EXPLAIN EXPLAIN ANALYZE COPY (SELECT 1) TO '{folder}/lake/out.csv'",
  "EXPLAIN ANALYZE INSERT INTO t VALUES (2, 'y')",
  "EXPORT DATABASE '{folder}/lake'",
  "EXPLAIN EXPORT DATABASE '{folder}/lake'",
  "IMPORT DATABASE '{folder}/lake/x'",
  "ATTACH '{folder}/lake/x.db'",
  "DETACH memory",
  "INSTALL httpfs",
  "LOAD httpfs",
  "FORCE INSTALL httpfs",
  "SET memory_limit = '100GB'",
  "RESET memory_limit",
  "PRAGMA version",
  "/* x */ pragma table_info('t')",
  "CALL pragma_version()",
  "CREATE TABLE u AS SELECT 1",
  "CREATE VIEW v AS SELECT 1",
  "CREATE MACRO m() AS 1",
  "INSERT INTO t VALUES (2, 'y')",
  "UPDATE t SET a = 2",
  "DELETE FROM t",
  "DROP TABLE t",
  "TRUNCATE t",
  "PREPARE p AS SELECT 1",
  "BEGIN",
  "CHECKPOINT",
  "VACUUM",
  "USE main",
])("refuses %s and says what to do", async (text) => {
  const refusal = { code: "statement-refused", message: expect.stringMatching(/read-only/) as string };
  await expect(run(text.replaceAll("{folder}", folder))).rejects.toMatchObject(refusal);
  expect((await run("SELECT count(*), max(a) FROM t")).rows).toEqual([[1, 1]]);
  expect((await readdir(folder)).toSorted()).toEqual(["secret.txt", "spill"]);
});

test("reads no file outside the lake, whatever function is used", async () => {
  for (const call of ["read_text", "read_blob", "read_csv", "read_json", "read_parquet", "glob"]) {
    const outcome = run(`SELECT * FROM ${call}(${sqlText(secret)})`);
    await expect(outcome).rejects.toMatchObject({ code: "statement-failed" });
  }
  await expect(run(`SELECT * FROM ${sqlText(secret)}`)).rejects.toMatchObject({ code: "statement-failed" });
  await expect(
    run(`SELECT * FROM read_csv('{folder}/lake/../secret.txt')`.replace("{folder}", folder)),
  ).rejects.toMatchObject({ code: "statement-failed" });
});

test("refuses several statements in words, and a WITH that writes", async () => {
  await expect(run("SELECT 1; SELECT 2")).rejects.toThrow(/2 statements; run one at a time/);
  await expect(run("SELECT 1; DROP TABLE t")).rejects.toMatchObject({ code: "statement-refused" });
  await expect(run(`SELECT 1; EXPORT DATABASE '${folder}/lake'`)).rejects.toMatchObject({
    code: "statement-refused",
  });
  expect((await readdir(folder)).toSorted()).toEqual(["secret.txt", "spill"]);
  await expect(run("WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x")).rejects.toMatchObject({
    code: expect.stringMatching(/statement-(failed|refused)/) as string,
  });
});

test("C24: PIVOT without values is refused with the remedy, not with a word about several statements", async () => {
  for (const text of [
    "PIVOT (SELECT 'a' w, 1 n) ON w USING sum(n)",
    "SELECT * FROM (PIVOT (SELECT 'a' w, 1 n) ON w USING sum(n))",
  ]) {
    await expect(run(text)).rejects.toThrow(/give the values: ON column IN/);
  }
});

test.each(["-- only", ";", " ; -- x\n /* y /* nested */ */ ;", ""])(
  "C25: nothing to run in %j is no error",
  async (text) => {
    expect(await run(text)).toEqual({ columns: [], rows: [], total: 0, truncated: false, cut: [] });
  },
);

test("C25: the row limit does not depend on the text, and the total is the true one", async () => {
  const result = await run("SELECT * FROM range(5000) r(i) ORDER BY i -- LIMIT 3", 7);
  expect(result.rows.map(([i]) => i)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(result).toMatchObject({ total: 5000, truncated: true });
  expect(await run("/* a ; b */ SELECT ';' AS x;;", 1)).toMatchObject({
    rows: [[";"]],
    total: 1,
    truncated: false,
  });
  await expect(run("SELECT 'unterminated")).rejects.toMatchObject({ code: "statement-failed" });
});

test("C27: integers and decimals keep every digit, safe ones stay numbers", async () => {
  const values =
    "(9007199254740993::HUGEINT),(-32),(113),(-10),(170141183460469231731687303715884105727),(NULL)";
  const numbers = await run(`SELECT * FROM (VALUES ${values}) t(n) ORDER BY n NULLS LAST`);
  expect(numbers.rows.flat()).toEqual([
    -32,
    -10,
    113,
    "9007199254740993",
    "170141183460469231731687303715884105727",
    null,
  ]);
  expect(numbers.columns).toEqual([{ name: "n", type: "HUGEINT" }]);
  const decimals = await run(
    "SELECT 32198334098493770513452193445::DECIMAL(38,0), 0.10::DECIMAL(18,8), 18446744073709551615::UBIGINT",
  );
  expect(decimals.rows).toEqual([["32198334098493770513452193445", "0.10000000", "18446744073709551615"]]);
});

test.each(["Europe/Berlin", "Asia/Kolkata", "America/St_Johns"])(
  "C31: times are the same under TZ=%s",
  async (zone) => {
    const before = process.env["TZ"];
    process.env["TZ"] = zone;
    try {
      const times = await run(
        `SELECT TIMESTAMPTZ '2026-04-29 14:38:00+02', TIMESTAMP '2026-04-29 14:38:00', '2026-04-29T14:38:00+02:00',
       [TIMESTAMPTZ '2026-04-29 14:38:00+02'], make_timestamptz(-1), date_trunc('hour', make_timestamptz(1761436800000000))`,
      );
      expect(times.rows[0]?.slice(0, 3)).toEqual([
        "2026-04-29T12:38:00Z",
        "2026-04-29 14:38:00",
        "2026-04-29T14:38:00+02:00",
      ]);
      expect(times.rows[0]?.[3]).toMatch(/2026-04-29 12:38:00\+00/);
      expect(times.rows[0]?.slice(4)).toEqual(["1969-12-31T23:59:59.999999Z", "2025-10-26T00:00:00Z"]);
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  },
);

test("values that JSON has no word for are text", async () => {
  const result = await run(
    "SELECT 'nan'::DOUBLE, 'inf'::DOUBLE, {'a': [1, 2]}, '\\xAA'::BLOB, INTERVAL 1 DAY, 'infinity'::TIMESTAMPTZ, '{\"a\":1}'::JSON",
  );
  expect(result.rows[0]?.slice(0, 2)).toEqual(["nan", "inf"]);
  expect(result.rows[0]?.every((cell) => typeof cell === "string")).toBe(true);
  expect(result.columns.at(-1)?.type).toBe("JSON");
});

test("a running statement ends when it is cancelled, and the next one runs", async () => {
  const cancel = new AbortController();
  const slow = runStatement(
    connection,
    "SELECT count(*) FROM range(1000000000) a, range(1000) b WHERE (a.range ^ b.range) % 7 = 3",
    { rows: 1, keeper: null },
    cancel.signal,
  );
  setTimeout(() => cancel.abort(), 50);
  await expect(slow).rejects.toMatchObject({ code: "statement-cancelled" });
  expect((await run("SELECT 1")).rows).toEqual([[1]]);
});

test("a statement that fails behind its first rows fails; its rows are not passed off as the whole result", async () => {
  const text = (rows: number) =>
    `SELECT CASE WHEN x = ${rows - 1} THEN 'a' ELSE '1' END::INT FROM range(${rows}) t(x)`;
  for (const rows of [2, 30_000, 1_000_000]) {
    await expect(run(text(rows))).rejects.toMatchObject({ code: "statement-failed" });
  }
  await expect(run(text(40_000))).rejects.toThrow(/Could not convert string 'a'/);
  expect((await run("SELECT * FROM range(1000000)")).total).toBe(1_000_000);
});

test("a statement cancelled while its rows come does not pass off those that came", async () => {
  const cancel = new AbortController();
  const slow = runStatement(
    connection,
    "SELECT x FROM range(3000000000) t(x)",
    { rows: 1, keeper: null },
    cancel.signal,
  );
  setTimeout(() => cancel.abort(), 100);
  await expect(slow).rejects.toMatchObject({ code: "statement-cancelled" });
});
