import type { ColumnDef, TableBatch } from "../../model/table.ts";
import { gatherBooleans, gatherBytes, gatherNumbers, type RowSlice } from "./column-cells.ts";
import { encodeBytes } from "./encode-bytes.ts";
import { encodeBooleans, encodeNumbers } from "./encode-numbers.ts";
import type { EncodedChunk, EncodedRowGroup, EncodedTable } from "./encoded-table.ts";

/** Half of DuckDB's row group: what one thread of a reader holds at a time. */
const ROW_GROUP_ROWS = 65_536;
/** Text and blob bytes (UTF-16 units for strings) after which a row group ends, so that large cells do not pile up in readers. */
const ROW_GROUP_BYTES = 64_000_000;

/**
 * Encodes batches of one table into uncompressed Parquet pages (about 3 µs a row for bronze + silver). Needs no disk and
 * changes nothing. Throws a TypeError or RangeError for a cell that its column cannot hold exactly.
 */
export function encodeTable(batches: readonly TableBatch[]): EncodedTable {
  const [first] = batches;
  if (first === undefined) throw new TypeError("a file needs at least one batch, be it empty");
  const { table } = first;
  for (const batch of batches) {
    if (batch.table !== table && batch.table.name !== table.name)
      throw new TypeError("batches of different tables");
    if (batch.columns.length !== table.columns.length)
      throw new TypeError("batch and table differ in columns");
  }
  const rowGroups = planRowGroups(batches).map((slices): EncodedRowGroup => {
    const rowCount = slices.reduce((sum, slice) => sum + slice.to - slice.from, 0);
    return { rowCount, chunks: table.columns.map((column, index) => encodeChunk(slices, index, column)) };
  });
  return { table, rowCount: rowGroups.reduce((sum, group) => sum + group.rowCount, 0), rowGroups };
}

function encodeChunk(slices: readonly RowSlice[], index: number, column: ColumnDef): EncodedChunk {
  switch (column.type) {
    case "int64":
    case "timestamptz":
      return encodeNumbers(column, gatherNumbers(slices, index, column));
    case "boolean":
      return encodeBooleans(column, gatherBooleans(slices, index, column));
    case "varchar":
    case "json":
    case "blob":
      return encodeBytes(column, gatherBytes(slices, index, column));
  }
}

function planRowGroups(batches: readonly TableBatch[]): readonly (readonly RowSlice[])[] {
  const groups: RowSlice[][] = [];
  let current: RowSlice[] = [];
  let rows = 0;
  let bytes = 0;
  for (const batch of batches) {
    const sizes = rowSizes(batch);
    let from = 0;
    for (let row = 0; row < batch.rowCount; row += 1) {
      rows += 1;
      bytes += sizes[row] ?? 0;
      if (rows < ROW_GROUP_ROWS && bytes < ROW_GROUP_BYTES) continue;
      current.push({ batch, from, to: row + 1 });
      groups.push(current);
      [current, rows, bytes, from] = [[], 0, 0, row + 1];
    }
    if (from < batch.rowCount) current.push({ batch, from, to: batch.rowCount });
  }
  if (current.length > 0) groups.push(current);
  return groups;
}

function rowSizes(batch: TableBatch): Float64Array {
  const sizes = new Float64Array(batch.rowCount);
  batch.table.columns.forEach((column, index) => {
    if (column.type !== "varchar" && column.type !== "json" && column.type !== "blob") return;
    const cells = batch.columns[index] ?? [];
    for (let row = 0; row < batch.rowCount; row += 1) {
      const cell = cells[row];
      if (typeof cell === "string" || cell instanceof Uint8Array)
        sizes[row] = (sizes[row] ?? 0) + cell.length;
    }
  });
  return sizes;
}
