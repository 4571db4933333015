import { expect, test } from "vitest";
import { ask, commit, withSession } from "./query.test-support.ts";

/** Of few rows all columns are copied. */
const MANY = 4_500;
const LIST = "source, log_offset, event_time, bot, size, raw, raw_bytes, title";

test.each([
  [
    "a whole row",
    "SELECT r FROM bronze.records r ORDER BY ALL",
    `SELECT {${pairs()}} FROM bronze.records ORDER BY ALL`,
  ],
  [
    "columns by pattern",
    "SELECT COLUMNS('^ti') FROM bronze.records ORDER BY ALL",
    "SELECT title FROM bronze.records ORDER BY ALL",
  ],
  [
    "columns under other names",
    "SELECT h FROM bronze.records AS r(a, b, c, d, e, f, g, h) ORDER BY ALL",
    "SELECT title FROM bronze.records ORDER BY ALL",
  ],
  [
    "what a join finds by itself",
    "SELECT count(*) FROM bronze.records r NATURAL JOIN (SELECT 'test' AS source, 7 AS size) x",
    "SELECT count(*) FROM bronze.records WHERE source = 'test' AND size = 7",
  ],
  [
    "errors that are hidden",
    "SELECT TRY(h) FROM bronze.records AS r(a, b, c, d, e, f, g, h) ORDER BY ALL",
    "SELECT title FROM bronze.records ORDER BY ALL",
  ],
])("a statement reads %s of hot rows, although it does not name the columns", async (_what, text, named) => {
  await withSession(async (lake, session) => {
    await commit(lake, 2_300, "catching-up");
    await commit(lake, MANY);
    // The copy begins with the first column alone.
    expect((await ask(session, "SELECT count(*) FROM bronze.records")).rows).toEqual([[6_277]]);
    const found = (await ask(session, text)).rows;
    expect(found).toEqual((await ask(session, named)).rows);
    expect(found.length).toBeGreaterThan(0);
  });
});

test("a copy of hot rows takes in columns that later statements name, and goes on with them", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, MANY);
    const total = "SELECT sum(size) FROM bronze.records";
    expect((await ask(session, "SELECT count(title) FROM bronze.records")).rows).toEqual([[3_115]]);
    const first = (await ask(session, total)).rows;
    await commit(lake, 30);
    const both = "SELECT count(title), sum(size) FROM bronze.records";
    const all = (await ask(session, `SELECT ${LIST} FROM bronze.records`)).rows;
    const titles = all.filter((row) => row[7] !== null).length;
    const sizes = all.reduce((sum, row) => sum + Number(row[4] ?? 0), 0);
    expect((await ask(session, both)).rows.map((row) => row.map(Number))).toEqual([[titles, sizes]]);
    expect((await ask(session, total)).rows).not.toEqual(first);
  });
});

function pairs(): string {
  return LIST.split(", ")
    .map((name) => `'${name}': "${name}"`)
    .join(", ");
}

test("a count over many hot rows copies the first column alone, although sealed rows stand beside them", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 2_300, "catching-up");
    await commit(lake, MANY);
    await ask(session, "SELECT count(*) FROM bronze.records");
    const columns =
      "SELECT column_name FROM duckdb_columns() WHERE table_name = 'bronze.rec' || 'ords' ORDER BY column_index";
    expect((await ask(session, columns)).rows).toEqual([["hw_row"], ["hw_begin"], ["source"]]);
  });
});
