import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import type { TestLake } from "../lake/lake.test-support.ts";
import { AppError } from "../model/errors.ts";
import { ask, commit, withSession } from "./query.test-support.ts";
import type { QuerySession } from "./query-session.ts";

/**
 * Issue 4, proof 4: what the console runs and what it refuses, through a real session over a real lake. `{lake}`, `{data}`,
 * `{root}` are the lake's folder, its Parquet files and the data folder; `{key}` is a signing key in it, `{out}` a free name.
 */
const ALLOWED: readonly string[] = [
  "SELECT count(*) FROM bronze.records",
  "FROM bronze.records LIMIT 3",
  "FROM range(3)",
  "VALUES (1)",
  "TABLE discards",
  "WITH x AS (SELECT 1 AS a) SELECT * FROM x",
  "(SELECT 1) UNION ALL (SELECT 2)",
  "DESCRIBE bronze.records",
  "DESC bronze.records",
  "DESCRIBE SELECT 1 AS a",
  "SUMMARIZE bronze.records",
  "SUMMARIZE SELECT 1 AS a",
  "SHOW TABLES",
  "SHOW ALL TABLES",
  "SHOW bronze.records",
  "PIVOT (SELECT 'a' w, 1 n) ON w IN ('a', 'b') USING sum(n)",
  "SELECT * FROM (PIVOT (SELECT 'a' w, 1 n) ON w IN ('a', 'b') USING sum(n))",
  "SELECT * FROM (SELECT 'a' w, 1 n) PIVOT (sum(n) FOR w IN ('a', 'b'))",
  "UNPIVOT (SELECT 1 AS a, 2 AS b) ON a, b",
  "EXPLAIN SELECT * FROM bronze.records",
  "EXPLAIN ANALYZE SELECT count(*) FROM bronze.records",
  "SELECT * FROM query('SELECT 1')",
  "SELECT * FROM query_table('bronze.records')",
  "SELECT current_setting('TimeZone')",
  "FROM duckdb_functions() LIMIT 1",
  "SELECT * FROM read_parquet('{data}/bronze/records/**/*.parquet')",
  "SELECT 'COPY x TO y; DROP TABLE z' AS text",
  "SELECT 1 AS \"checkpoint(\", 'enable_logging(' AS s -- write_log(",
  "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r",
  "SELECT 1;;",
];

type Refusal = "statement-refused" | "statement-failed" | "either";

const REFUSED: readonly (readonly [text: string, code: Refusal])[] = [
  ["COPY bronze.records TO '{out}'", "statement-refused"],
  ["COPY (SELECT 1) TO '{data}/x.parquet'", "statement-refused"],
  ["COPY bronze.records FROM '{key}'", "statement-refused"],
  ["EXPLAIN ANALYZE COPY (SELECT 1) TO '{data}/x.csv'", "statement-refused"],
  ["EXPLAIN (ANALYZE) COPY (SELECT 1) TO '{data}/x.csv'", "either"],
  ["EXPLAIN ANALYZE INSERT INTO discards VALUES ('x', 1, 'y')", "statement-refused"],
  ["EXPORT DATABASE '{data}/export'", "statement-refused"],
  ["IMPORT DATABASE '{data}/export'", "statement-refused"],
  ["ATTACH '{out}' AS other", "statement-refused"],
  ["ATTACH '{lake}/catalog.sqlite' AS c (TYPE sqlite)", "statement-refused"],
  ["DETACH memory", "statement-refused"],
  ["USE memory", "statement-refused"],
  ["INSTALL httpfs", "statement-refused"],
  ["FORCE INSTALL httpfs", "statement-refused"],
  ["LOAD httpfs", "statement-refused"],
  ["SET enable_external_access = true", "statement-refused"],
  ["SET lock_configuration = false", "statement-refused"],
  ["RESET allowed_directories", "statement-refused"],
  ["PRAGMA database_list", "statement-refused"],
  ["PRAGMA memory_limit = '1TB'", "statement-refused"],
  ["CALL pragma_version()", "statement-refused"],
  ["CREATE TABLE x AS SELECT 1", "statement-refused"],
  ["CREATE OR REPLACE VIEW bronze.records AS SELECT 1", "statement-refused"],
  ["CREATE MACRO m() AS 1", "statement-refused"],
  ["CREATE SECRET s (TYPE s3)", "statement-refused"],
  ["INSERT INTO discards VALUES ('x', 1, 'y')", "statement-refused"],
  ["INSERT INTO discards VALUES ('x', 1, 'y') RETURNING *", "statement-refused"],
  ["UPDATE discards SET reason = ''", "statement-refused"],
  ["DELETE FROM discards", "statement-refused"],
  ["MERGE INTO discards USING (SELECT 1) x ON true WHEN MATCHED THEN DELETE", "statement-refused"],
  ["TRUNCATE discards", "statement-refused"],
  ["DROP VIEW bronze.records", "statement-refused"],
  ["ALTER VIEW bronze.records RENAME TO r", "statement-refused"],
  ["COMMENT ON VIEW bronze.records IS 'x'", "statement-refused"],
  ["WITH x AS (SELECT 1) DELETE FROM discards", "either"],
  ["WITH x AS (DELETE FROM discards RETURNING *) SELECT * FROM x", "either"],
  ["WITH x AS (SELECT 1) INSERT INTO discards SELECT 'a', 1, 'b'", "either"],
  ["BEGIN", "statement-refused"],
  ["COMMIT", "statement-refused"],
  ["CHECKPOINT", "statement-refused"],
  ["VACUUM", "statement-refused"],
  ["ANALYZE", "statement-refused"],
  ["PREPARE p AS SELECT 1", "statement-refused"],
  ["EXECUTE p", "statement-refused"],
  ["SELECT 1; SELECT 2", "statement-refused"],
  ["SELECT 1; DROP VIEW bronze.records", "statement-refused"],
  ["SELECT 1; COPY (SELECT 1) TO '{data}/x.csv'", "statement-refused"],
  ["PIVOT (SELECT 'a' w, 1 n) ON w USING sum(n)", "statement-refused"],
  ["SELECT * FROM read_text('{key}')", "statement-failed"],
  ["SELECT * FROM read_blob('{key}')", "statement-failed"],
  ["SELECT * FROM read_text('{data}/../../reports/key.pem')", "statement-failed"],
  ["SELECT * FROM read_blob('{lake}/catalog.sqlite')", "statement-failed"],
  ["SELECT * FROM read_csv('/etc/passwd')", "statement-failed"],
  ["SELECT * FROM '/etc/passwd'", "statement-failed"],
  ["SELECT * FROM sniff_csv('/etc/passwd')", "statement-failed"],
  ["SELECT * FROM read_json('{root}/workspace/settings.json')", "statement-failed"],
  ["SELECT * FROM read_parquet('https://example.com/x.parquet')", "statement-failed"],
  ["SELECT * FROM parquet_metadata('{key}')", "statement-failed"],
  ["SELECT * FROM read_duckdb('{out}')", "statement-failed"],
  ["SELECT * FROM glob('{root}/*')", "statement-failed"],
  ["SELECT getenv('HOME')", "statement-failed"],
  ["SELECT * FROM query('COPY (SELECT 1) TO ''{data}/x.csv''')", "statement-failed"],
  ["SELECT * FROM query('SELECT * FROM read_text(''{key}'')')", "statement-failed"],
  ["FROM enable_logging(storage = 'file', storage_config = {'path': '{root}'})", "statement-refused"],
  ["FROM enable_profiling()", "statement-refused"],
  ["FROM \"force_checkpoint\"('memory')", "statement-refused"],
  ["SELECT * FROM query('FROM enable_profiling()')", "statement-refused"],
  ["SELECT write_log('x')", "statement-refused"],
  ["\u200b COPY (SELECT 1) TO '{data}/x.csv'", "statement-refused"],
  ["/* /* SELECT */ */ COPY (SELECT 1) TO '{data}/x.csv'", "statement-refused"],
  ["SELCT 1", "statement-failed"],
];

function places(lake: TestLake): (text: string) => string {
  const key = join(lake.folder.root, "reports", "key.pem");
  const known: Readonly<Record<string, string>> = {
    lake: lake.folder.lake,
    data: lake.folder.lakeData,
    root: lake.folder.root,
    key,
    out: join(lake.folder.root, "out.db"),
  };
  return (text) => text.replaceAll(/\{(lake|data|root|key|out)\}/gu, (_, name: string) => known[name] ?? "");
}

/** Every file of the data folder but those that reading itself makes (leases, spill), with the hash of its bytes. */
function hashOf(root: string): string {
  const hash = createHash("sha256");
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/^(?:tmp|leases)[/\\]|-(?:shm|wal)$/u.test(relative(root, path)));
  for (const path of names.toSorted()) hash.update(`${path}\0`).update(readFileSync(path));
  return `${names.length} files ${hash.digest("hex")}`;
}

async function withStatements(
  body: (session: QuerySession, fill: (text: string) => string) => Promise<void>,
) {
  await withSession(async (lake, session) => {
    await commit(lake, 60);
    await lake.writer.seal(lake.clock.nowMs());
    await commit(lake, 40);
    mkdirSync(join(lake.folder.root, "reports"), { recursive: true });
    writeFileSync(join(lake.folder.root, "reports", "key.pem"), "secret");
    const before = hashOf(lake.folder.root);
    const rows = "SELECT (SELECT count(*) FROM bronze.records), (SELECT count(*) FROM discards)";
    const counted = (await ask(session, rows)).rows;
    await body(session, places(lake));
    expect((await ask(session, rows)).rows).toEqual(counted);
    expect(hashOf(lake.folder.root)).toBe(before);
    expect(hashOf(lake.folder.root)).not.toMatch(/^[0-3] files/u);
  });
}

/** How a statement ended: `ran`, or the code of its refusal. */
async function outcomeOf(session: QuerySession, text: string): Promise<AppError | "ran"> {
  const outcome = await ask(session, text).then(
    () => "ran" as const,
    (error: unknown) => error,
  );
  if (outcome === "ran" || outcome instanceof AppError) return outcome;
  throw outcome;
}

test(`${ALLOWED.length} reading statements run, and nothing on disk changes`, async () => {
  expect(ALLOWED.length + REFUSED.length).toBeGreaterThanOrEqual(60);
  await withStatements(async (session, fill) => {
    for (const text of ALLOWED) expect([text, await outcomeOf(session, fill(text))]).toEqual([text, "ran"]);
  });
});

test(`${REFUSED.length} statements that write, leave the lake or come in twos are refused by their code, and nothing on disk changes`, async () => {
  await withStatements(async (session, fill) => {
    for (const [text, code] of REFUSED) {
      const outcome = await outcomeOf(session, fill(text));
      const found = outcome === "ran" ? "ran" : outcome.code;
      const isRight = code === "either" ? found !== "ran" : found === code;
      expect([text, found, isRight]).toEqual([text, found, true]);
      // A refusal says what to do instead; a failure is DuckDB's own sentence.
      const says = found === "statement-refused" ? /read-only|run one at a time|ON column IN/u : /Error: /u;
      const message = outcome === "ran" ? "" : outcome.message;
      expect([text, says.test(message), message.includes("secret")]).toEqual([text, true, false]);
    }
  });
});

test("C24: PIVOT without values says how to give them; with values, UNPIVOT, SUMMARIZE, DESCRIBE, SHOW, FROM and VALUES run", async () => {
  await withStatements(async (session) => {
    for (const text of [
      "PIVOT (SELECT 'a' w, 1 n) ON w USING sum(n)",
      "SELECT * FROM (PIVOT (SELECT 'a' w, 1 n) ON w USING sum(n))",
    ]) {
      await expect(ask(session, text)).rejects.toThrow(/give the values: ON column IN/u);
      await expect(ask(session, text)).rejects.not.toThrow(/statements;/u);
    }
    const pivoted = "(PIVOT (SELECT 'a' w, 1 n) ON w IN ('a','b') USING sum(n))";
    expect((await ask(session, pivoted.slice(1, -1))).rows).toEqual([[1, null]]);
    expect((await ask(session, `SELECT * FROM ${pivoted}`)).rows).toEqual([[1, null]]);
    for (const text of [
      "UNPIVOT (SELECT 1 AS a) ON a",
      "SUMMARIZE bronze.records",
      "DESCRIBE bronze.records",
    ])
      expect([text, (await ask(session, text)).total > 0]).toEqual([text, true]);
    expect((await ask(session, "SHOW TABLES")).total).toBeGreaterThan(0);
    expect((await ask(session, "FROM range(3)")).rows).toEqual([[0], [1], [2]]);
    expect((await ask(session, "VALUES (1)")).rows).toEqual([[1]]);
  });
});
