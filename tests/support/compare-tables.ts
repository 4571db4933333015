import { type Dump, type DumpedRow, rowsOf, shaOf } from "./dump-lake.ts";

/**
 * Columns that two runs over the same feed may differ in, when ingest was killed or connections were cut between.
 * `log_offset` and `received_time`: overlap takes offsets and time. `source_id`: the SSE id in force depends on where a
 * connection began. `server_offset_ms`: measured anew with each response.
 * Everything else must be equal, watermark, late, lateness and the order of titles included: overlap brings back only
 * records that were received already, so the order in which *distinct* records first reach the log is the feed's own in
 * every run, and a duplicate never moves the watermark.
 */
const DIFFERS_BY_RUN = new Set(["log_offset", "received_time", "source_id", "server_offset_ms"]);

const SAME_IN_EVERY_RUN = [
  "bronze.recentchange",
  "silver.changes",
  "main.late_arrivals",
  "gold.edits_per_minute",
  "gold.top_pages_5min",
  "gold.user_bytes_5s",
  "gold.lateness_histogram",
];

/** Throws unless two lakes made from the *same log* are equal: all columns of all tables, offsets included. */
export function expectSameLog(actual: Dump, expected: Dump): void {
  const names = [...expected.keys()];
  if (names.join() !== [...actual.keys()].join())
    throw new Error(`other tables: ${[...actual.keys()].join()}`);
  for (const name of names) expectSameRows(name, texts(rowsOf(actual, name)), texts(rowsOf(expected, name)));
}

/** Throws unless two lakes made from the *same feed* are equal in all but {@link DIFFERS_BY_RUN}. */
export function expectSameFeed(actual: Dump, expected: Dump): void {
  for (const name of SAME_IN_EVERY_RUN) {
    expectSameRows(
      name,
      texts(rowsOf(actual, name), DIFFERS_BY_RUN),
      texts(rowsOf(expected, name), DIFFERS_BY_RUN),
    );
  }
  expectSameRows("dead letters (rule, bytes)", deadLetters(actual), deadLetters(expected));
  expectSameRows("filtered ids", filteredIds(actual), filteredIds(expected));
}

/** Throws with the first differences unless two lists of rows are equal as multisets. */
export function expectSameRows(what: string, actual: readonly string[], expected: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const row of expected) counts.set(row, (counts.get(row) ?? 0) + 1);
  for (const row of actual) counts.set(row, (counts.get(row) ?? 0) - 1);
  const missing = [...counts].filter(([, count]) => count > 0);
  const extra = [...counts].filter(([, count]) => count < 0);
  if (missing.length + extra.length === 0) return;
  const show = (rows: readonly [string, number][]): string =>
    rows
      .slice(0, 3)
      .map(([row, count]) => `\n    ${Math.abs(count)} × ${row.slice(0, 600)}`)
      .join("");
  throw new Error(
    `${what}: ${actual.length} rows instead of ${expected.length}\n  missing ${missing.length}:${show(missing)}\n  too many ${extra.length}:${show(extra)}`,
  );
}

function texts(rows: readonly DumpedRow[], without: ReadonlySet<string> = new Set()): readonly string[] {
  return rows.map((row) =>
    JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => !without.has(name)))),
  );
}

function deadLetters(dump: Dump): readonly string[] {
  return rowsOf(dump, "main.dead_letters").map(
    (row) => `${String(row["rule_id"])} ${String(row["reason_code"])} ${shaOf(row)}`,
  );
}

function filteredIds(dump: Dump): readonly string[] {
  const filtered = rowsOf(dump, "main.discards").filter((row) => row["reason"] === "filtered");
  // The demo feed's canaries all have an id; without ids this comparison could not fail.
  if (filtered.some((row) => typeof row["id"] !== "string")) throw new Error("a filtered record has no id");
  return [...new Set(filtered.map((row) => String(row["id"])))];
}
