import type { ColumnDef, TableDef } from "../../model/table.ts";
import { FINAL_PRIMES, LANE_PRIMES, LANE_SHIFTS, laneSeed } from "./word-hash.ts";

/**
 * DuckDB macros that say in SQL what row-hash.ts says in TypeScript, as an independent second reading. Slow (a list of words
 * per cell): for audits of samples, not for the hot path. Numbers are UBIGINT with 32 bits in use, so products never overflow.
 */
export const ROW_HASH_MACROS: readonly string[] = [
  `CREATE OR REPLACE TEMP MACRO hw_m32(x) AS (x & 4294967295::UBIGINT)`,
  // A macro's argument is pasted wherever it is named; the lambda names it once, or expressions would double at each step.
  `CREATE OR REPLACE TEMP MACRO hw_xs(x, n) AS list_transform([x], lambda y: xor(y, y >> n))[1]`,
  ...[0, 1].map((lane) => {
    const [prime, shift] = [LANE_PRIMES[lane] ?? 0, LANE_SHIFTS[lane] ?? 0];
    const product = `hw_m32(xor(h, w) * ${prime}::UBIGINT)`;
    return `CREATE OR REPLACE TEMP MACRO hw_step${lane}(h, w) AS xor(${product}, ${product} >> ${shift})`;
  }),
  `CREATE OR REPLACE TEMP MACRO hw_final(x) AS
     hw_xs(hw_m32(hw_xs(hw_m32(hw_xs(x, 16) * ${FINAL_PRIMES[0]}::UBIGINT), 13) * ${FINAL_PRIMES[1]}::UBIGINT), 16)`,
  // Hex text of the bytes, filled up with zeros and cut into words of 8 digits, low byte first.
  `CREATE OR REPLACE TEMP MACRO hw_word(d) AS ('0x' || d[7:8] || d[5:6] || d[3:4] || d[1:2])::UBIGINT`,
  `CREATE OR REPLACE TEMP MACRO hw_words(b) AS
     list_transform(
       regexp_extract_all(hex(b) || repeat('0', ((8 - (octet_length(b) * 2) % 8) % 8)::BIGINT), '.{8}'),
       lambda d: hw_word(d))`,
  ...[0, 1].map(
    (lane) => `CREATE OR REPLACE TEMP MACRO hw_cell${lane}(seed, words, length) AS
     hw_final(xor(list_reduce(words, lambda h, w: hw_step${lane}(h, w), seed), length::UBIGINT))`,
  ),
  `CREATE OR REPLACE TEMP MACRO hw_number_words(x) AS
     [(x & 4294967295)::UBIGINT, ((x >> 32) & 4294967295)::UBIGINT]`,
];

/**
 * SQL query of the content hash of `relation` (any FROM item with the table's columns) as one text column `hash`. Needs
 * {@link ROW_HASH_MACROS} on the connection.
 */
export function contentHashQuery(table: TableDef, relation: string): string {
  const sum = (lane: 0 | 1): string =>
    `hw_m32(${table.columns.map((column) => cellExpression(column, lane)).join(" + ")})`;
  const sums = `SELECT ${sum(0)} AS lane0, ${sum(1)} AS lane1 FROM ${relation}`;
  const high = `hw_final(xor(lane0, hw_m32(lane1 * ${LANE_PRIMES[0]}::UBIGINT)))`;
  const mixed = `SELECT lane1, ${high} AS high FROM (${sums})`;
  // HUGEINT, since DuckDB sums UHUGEINT as an inexact DOUBLE.
  const hash = `high::HUGEINT * 4294967296::HUGEINT + hw_final(hw_m32(lane1 + high))::HUGEINT`;
  return `SELECT (coalesce(sum(${hash}), 0) % 18446744073709551616::HUGEINT)::VARCHAR AS hash FROM (${mixed})`;
}

function cellExpression(column: ColumnDef, lane: 0 | 1): string {
  const name = `"${column.name.replaceAll('"', '""')}"`;
  const { words, length } = wordsExpression(column, name);
  const hash = `hw_cell${lane}(${laneSeed(column.id, lane)}::UBIGINT, ${words}, ${length})`;
  return `(CASE WHEN ${name} IS NULL THEN 0::UBIGINT ELSE ${hash} END)`;
}

function wordsExpression(column: ColumnDef, name: string): { words: string; length: string } {
  switch (column.type) {
    case "int64":
      return { words: `hw_number_words(${name}::BIGINT)`, length: "8" };
    case "timestamptz":
      return { words: `hw_number_words(epoch_us(${name}))`, length: "8" };
    case "boolean":
      return { words: `[(CASE WHEN ${name} THEN 1 ELSE 0 END)::UBIGINT]`, length: "1" };
    case "varchar":
    case "json": {
      const bytes = `encode(${name}::VARCHAR)`;
      return { words: `hw_words(${bytes})`, length: `octet_length(${bytes})` };
    }
    case "blob":
      return { words: `hw_words(${name})`, length: `octet_length(${name})` };
  }
}
