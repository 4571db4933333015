import type { CellValue, ColumnDef, TableBatch, TableDef } from "../../model/table.ts";
import { CellHasher } from "./cell-hasher.ts";
import { LaneSum } from "./lane-sum.ts";
import { type HashLanes, joinLanes, laneSeed, mixLanes } from "./word-hash.ts";

/**
 * Row hashes, one definition for the whole lake (the same in SQL: row-hash-sql.ts). A cell's hash covers its column id and its
 * bytes: text and JSON as UTF-8, blobs as they are, int64 and timestamptz as 8 bytes, booleans as one word. A null cell counts
 * as nothing, so a new nullable column leaves the hashes of old rows as they were, and null is not the empty text. The row's
 * hash mixes the sum of its cells, so swapped columns or swapped rows' cells show; the order of columns does not matter.
 */

const MASK_64 = (1n << 64n) - 1n;
const hasher = new CellHasher();

const seedsOf = (columnId: number) => [laneSeed(columnId, 0), laneSeed(columnId, 1)] as const;
const [SOURCE_SEEDS, OFFSET_SEEDS, DIGEST_SEEDS] = [seedsOf(1), seedsOf(2), seedsOf(3)];

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
  const sum = new LaneSum();
  for (let row = 0; row < rowCount; row += 1) sum.add(mixLanes(sums0[row] ?? 0, sums1[row] ?? 0));
  return sum.value;
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
  const { high, low } = identityLanes(source, logOffset, sha256);
  return joinLanes(high, low);
}

/** {@link identityHash} as two lanes, for summing up. */
export function identityLanes(
  source: string,
  logOffset: number,
  sha256: string | Uint8Array | null,
): HashLanes {
  hasher.text(SOURCE_SEEDS[0], SOURCE_SEEDS[1], source);
  let sum0 = hasher.lane0;
  let sum1 = hasher.lane1;
  hasher.number(OFFSET_SEEDS[0], OFFSET_SEEDS[1], logOffset);
  sum0 += hasher.lane0;
  sum1 += hasher.lane1;
  if (sha256 !== null) {
    if (typeof sha256 === "string") hasher.hex(DIGEST_SEEDS[0], DIGEST_SEEDS[1], sha256);
    else hasher.bytes(DIGEST_SEEDS[0], DIGEST_SEEDS[1], sha256);
    sum0 += hasher.lane0;
    sum1 += hasher.lane1;
  }
  return mixLanes(sum0 | 0, sum1 | 0);
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
