import type { CellValue, ColumnDef, TableBatch, TableDef } from "../../model/table.ts";
import { CellHasher } from "./cell-hasher.ts";
import { joinLanes, laneSeed, mixLanes } from "./word-hash.ts";

/**
 * Row hashes, one definition for the whole lake (the same in SQL: row-hash-sql.ts). A cell's hash covers its column id and its
 * bytes: text and JSON as UTF-8, blobs as they are, int64 and timestamptz as 8 bytes, booleans as one word. A null cell counts
 * as nothing, so a new nullable column leaves the hashes of old rows as they were, and null is not the empty text. The row's
 * hash mixes the sum of its cells, so swapped columns or swapped rows' cells show; the order of columns does not matter.
 */

const MASK_64 = (1n << 64n) - 1n;
const hasher = new CellHasher();

/** Hash of one row given in the order of `table.columns`, unsigned 64 bits. */
export function rowHash(table: TableDef, row: readonly CellValue[]): bigint {
  let [sum0, sum1] = [0, 0];
  table.columns.forEach((column, index) => {
    const cell = row[index];
    if (cell === null) return;
    hashCell(column, cell, laneSeed(column.id, 0), laneSeed(column.id, 1));
    sum0 = (sum0 + hasher.lane0) | 0;
    sum1 = (sum1 + hasher.lane1) | 0;
  });
  const mixed = mixLanes(sum0, sum1);
  return joinLanes(mixed.high, mixed.low);
}

/** Sum of the row hashes of a batch mod 2^64: equal for equal multisets of rows, in whatever order (about 1 µs a bronze row). */
export function batchHash(batch: TableBatch): bigint {
  const { rowCount } = batch;
  const sums0 = new Int32Array(rowCount);
  const sums1 = new Int32Array(rowCount);
  batch.table.columns.forEach((column, index) => addColumn(column, batch.columns[index] ?? [], sums0, sums1));
  let total = 0n;
  let high = 0;
  let low = 0;
  for (let row = 0; row < rowCount; row += 1) {
    const mixed = mixLanes(sums0[row] ?? 0, sums1[row] ?? 0);
    high += mixed.high;
    low += mixed.low;
    // 2^20 sums of 32 bits stay below 2^53.
    if ((row & 0xfffff) !== 0xfffff) continue;
    total += (BigInt(high) << 32n) + BigInt(low);
    [high, low] = [0, 0];
  }
  return (total + (BigInt(high) << 32n) + BigInt(low)) & MASK_64;
}

/** Sum of two content hashes mod 2^64. */
export function addHash(left: bigint, right: bigint): bigint {
  return (left + right) & MASK_64;
}

/** Difference of two content hashes mod 2^64: takes rows out of a multiset. */
export function subtractHash(left: bigint, right: bigint): bigint {
  return (left - right) & MASK_64;
}

/**
 * Hash of a record's identity for the ledger: source, log offset and the sha256 of its stored bytes (hex or 32 bytes; null for
 * an unreadable offset). Sums of it show a lost, doubled or swapped record.
 */
export function identityHash(source: string, logOffset: number, sha256: string | Uint8Array | null): bigint {
  const digest = typeof sha256 === "string" ? Buffer.from(sha256, "hex") : sha256;
  let [sum0, sum1] = [0, 0];
  hasher.text(laneSeed(1, 0), laneSeed(1, 1), source);
  [sum0, sum1] = [(sum0 + hasher.lane0) | 0, (sum1 + hasher.lane1) | 0];
  hasher.number(laneSeed(2, 0), laneSeed(2, 1), logOffset);
  [sum0, sum1] = [(sum0 + hasher.lane0) | 0, (sum1 + hasher.lane1) | 0];
  if (digest !== null) {
    hasher.bytes(laneSeed(3, 0), laneSeed(3, 1), digest);
    [sum0, sum1] = [(sum0 + hasher.lane0) | 0, (sum1 + hasher.lane1) | 0];
  }
  const mixed = mixLanes(sum0, sum1);
  return joinLanes(mixed.high, mixed.low);
}

function addColumn(
  column: ColumnDef,
  cells: readonly CellValue[],
  sums0: Int32Array,
  sums1: Int32Array,
): void {
  const seed0 = laneSeed(column.id, 0);
  const seed1 = laneSeed(column.id, 1);
  // Source, stream, topic, kind and the like are the same text row after row: the lanes still hold its hash.
  let before: CellValue | undefined;
  for (let row = 0; row < sums0.length; row += 1) {
    const cell = cells[row];
    if (cell === null) continue;
    if (typeof cell !== "string" || cell !== before) hashCell(column, cell, seed0, seed1);
    before = cell;
    sums0[row] = ((sums0[row] ?? 0) + hasher.lane0) | 0;
    sums1[row] = ((sums1[row] ?? 0) + hasher.lane1) | 0;
  }
}

/** Leaves the hash of one cell in the hasher's lanes. */
function hashCell(column: ColumnDef, cell: CellValue | undefined, seed0: number, seed1: number): void {
  if (typeof cell === "string") hasher.text(seed0, seed1, cell);
  else if (typeof cell === "number") hasher.number(seed0, seed1, cell);
  else if (typeof cell === "boolean") hasher.boolean(seed0, seed1, cell);
  else if (cell instanceof Uint8Array) hasher.bytes(seed0, seed1, cell);
  else throw new TypeError(`column ${column.name} has fewer cells than rows`);
}
