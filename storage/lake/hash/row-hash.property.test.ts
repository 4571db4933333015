import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDuckDb, sqlText, type DuckDb } from "../../duckdb/open-duckdb.ts";
import { defineColumns, type CellValue, type TableBatch } from "../../model/table.ts";
import { everyTypeTable, randomBatch } from "../parquet/random-table.test-support.ts";
import { writeParquetFile } from "../parquet/write-parquet.ts";
import { contentHashQuery, ROW_HASH_MACROS } from "./row-hash-sql.ts";
import { addHash, batchHash, identityHash, rowHash, subtractHash } from "./row-hash.ts";

let folder = "";
let duckdb: DuckDb;
let connection: DuckDBConnection;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "highwater-hash-"));
  const limits = { tempLimitBytes: 1e9, memoryLimitBytes: 1e9, threads: 1 };
  duckdb = await openDuckDb({ tempFolder: join(folder, "spill"), allowedFolders: [folder], ...limits });
  connection = await duckdb.connect();
  for (const macro of ROW_HASH_MACROS) await connection.run(macro);
});
afterAll(async () => {
  connection.closeSync();
  await duckdb.close();
  await rm(folder, { recursive: true, force: true });
});

function rowsOf(batch: TableBatch): CellValue[][] {
  return Array.from({ length: batch.rowCount }, (_, row) => batch.columns.map((cells) => cells[row] ?? null));
}

test("SQL and TypeScript give one hash for the same rows", async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(randomBatch(30), async (batch) => {
      number += 1;
      const path = join(folder, `${number}.parquet`);
      await writeParquetFile({ path, batches: [batch], metadata: {} });
      const query = contentHashQuery(batch.table, `read_parquet(${sqlText(path)})`);
      const rows = await (await connection.run(query)).getRowsJson();
      expect(rows).toEqual([[String(batchHash(batch))]]);
    }),
    { numRuns: 25 },
  );
});

test("a batch's hash is the sum of its rows' hashes, in any order, and takes rows out again", () => {
  fc.assert(
    fc.property(randomBatch(40), (batch) => {
      const hashes = rowsOf(batch).map((row) => rowHash(batch.table, row));
      const sum = hashes.toReversed().reduce(addHash, 0n);
      expect(batchHash(batch)).toBe(sum);
      expect(hashes.reduce(subtractHash, sum)).toBe(0n);
    }),
    { numRuns: 50 },
  );
});

test("text and the same text as bytes hash alike, whatever its length", () => {
  const table = { ...everyTypeTable, columns: defineColumns({ v: "varchar" }) };
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      expect(rowHash(table, [text])).toBe(rowHash(table, [Buffer.from(text, "utf8")]));
    }),
  );
  const large = "é".repeat(3_000_000);
  expect(rowHash(table, [large])).toBe(rowHash(table, [Buffer.from(large, "utf8")]));
  expect(rowHash(table, [`${large}x`])).not.toBe(rowHash(table, [large]));
});

const two = { ...everyTypeTable, columns: defineColumns({ a: "?varchar", b: "?varchar", n: "?int64" }) };
test.each<[string, CellValue[], CellValue[]]>([
  ["null and the empty text", [null, "x", 1], ["", "x", 1]],
  ["swapped columns", ["x", "y", 1], ["y", "x", 1]],
  ["a border moved between cells", ["ab", "c", 1], ["a", "bc", 1]],
  ["zeros behind a text", ["a", "", 1], ["a\u0000", "", 1]],
  ["a sign", ["a", "", 1], ["a", "", -1]],
  ["the high word of a number", ["a", "", 1], ["a", "", 1 + 2 ** 32]],
  ["null and zero", ["a", "", null], ["a", "", 0]],
])("%s changes the hash", (_, left, right) => {
  expect(rowHash(two, left)).not.toBe(rowHash(two, right));
});

test("cells swapped between rows change the sum, and a new nullable column does not", () => {
  const batch = (a: CellValue[], b: CellValue[]): TableBatch => ({
    table: two,
    rowCount: 2,
    columns: [a, b, [1, 2]],
  });
  expect(batchHash(batch(["x", "y"], ["p", "q"]))).not.toBe(batchHash(batch(["x", "y"], ["q", "p"])));
  const wider = {
    ...two,
    columns: defineColumns({ a: "?varchar", b: "?varchar", n: "?int64", later: "?varchar" }),
  };
  expect(rowHash(wider, ["x", "y", 1, null])).toBe(rowHash(two, ["x", "y", 1]));
});

test("stored hashes stay valid: the definition has not moved", () => {
  expect(rowHash(two, ["wikimedia", "Größe 😀", -5])).toMatchInlineSnapshot(`12933032341775357189n`);
  expect(identityHash("wikimedia", 42, "ab".repeat(32))).toMatchInlineSnapshot(`385416216200295138n`);
});

test("identity hashes tell source, offset and bytes apart, and read hex and bytes alike", () => {
  const sha = Buffer.from("0123456789abcdef".repeat(4), "hex");
  const hash = identityHash("a", 1, sha);
  expect(identityHash("a", 1, sha.toString("hex"))).toBe(hash);
  expect(
    new Set([hash, identityHash("b", 1, sha), identityHash("a", 2, sha), identityHash("a", 1, null)]).size,
  ).toBe(4);
});
