import type { CellValue, ColumnDef, ColumnType, TableBatch, TableDef } from "../../model/table.ts";
import { formatTimestamp, parseTimestamp } from "./timestamps.ts";

/** A value as SQLite takes and gives it. */
export type SqlValue = number | string | Uint8Array | null;

/** The placeholder of a column's value: text may come as its UTF-8 bytes, which SQLite would keep as a blob. */
export function cellPlaceholder(column: ColumnDef): string {
  return column.type === "varchar" || column.type === "json" ? "CAST(? AS TEXT)" : "?";
}

/** A cell in the form of DuckLake's inlined data. */
export function encodeCell(type: ColumnType, value: CellValue): SqlValue {
  if (value === null) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (type === "timestamptz" && typeof value === "number") return formatTimestamp(value);
  return value;
}

/** The cell that {@link encodeCell} stored. Throws a RangeError on a form that was never written. */
export function decodeCell(type: ColumnType, value: unknown): CellValue {
  if (value === null) return null;
  const cell = DECODERS[type](value);
  if (cell === undefined) throw new RangeError(`a ${type} cell holds a ${typeof value}`);
  return cell;
}

function decodeText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const DECODERS: Readonly<Record<ColumnType, (value: unknown) => CellValue | undefined>> = {
  int64: (value) => (typeof value === "number" ? value : undefined),
  boolean: (value) => (value === 0 || value === 1 ? value === 1 : undefined),
  timestamptz: (value) => (typeof value === "string" ? parseTimestamp(value) : undefined),
  varchar: decodeText,
  json: decodeText,
  blob: (value) => (value instanceof Uint8Array ? value : undefined),
};

/** Bytes that a hot row takes in the catalog, about: its values, the record's header and its index entries. */
export function hotRowBytes(values: readonly unknown[]): number {
  let bytes = HOT_ROW_OVERHEAD_BYTES;
  for (const value of values) {
    if (typeof value === "string" || value instanceof Uint8Array) bytes += value.length;
    else bytes += NUMBER_BYTES;
  }
  return bytes;
}

/** Record header, row id, snapshots and two index entries, as measured with dbstat on tables of 10 to 35 columns. */
const HOT_ROW_OVERHEAD_BYTES = 90;
const NUMBER_BYTES = 4;

/** One row of a batch, cell by cell. */
export function batchRow(batch: TableBatch, row: number): CellValue[] {
  return batch.columns.map((column) => column[row] ?? null);
}

/** A batch of rows given one by one. */
export function batchOfRows(table: TableDef, rows: readonly (readonly CellValue[])[]): TableBatch {
  return {
    table,
    rowCount: rows.length,
    columns: table.columns.map((_, index) => rows.map((row) => row[index] ?? null)),
  };
}
