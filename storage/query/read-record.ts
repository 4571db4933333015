import { toOffset, type SnapshotId, type SourceName } from "../model/brand.ts";
import type { LakeReader } from "../model/lake.ts";
import { qualifiedName, type CellValue, type ColumnType } from "../model/table.ts";

/** A cell of a record with its column. */
export type RecordCell = { readonly name: string; readonly type: ColumnType; readonly value: CellValue };

/**
 * A record where it ended: `table` by its full name, the cells of all tables that hold it, the raw text where one keeps it,
 * and the original bytes where they are not that text in UTF-8.
 */
export type StoredRecord = {
  readonly table: string;
  readonly cells: readonly RecordCell[];
  readonly raw: string | null;
  readonly rawBytes: Uint8Array | null;
};

/** Columns with the record's own text, shown apart from the others. */
const RAW_COLUMNS = new Set(["raw", "body"]);
const HIDDEN_COLUMNS = new Set(["raw", "body", "raw_bytes"]);
/** Where a record ends comes first (invariant I1: exactly one of these), then what was derived from it. */
const SCHEMA_ORDER = ["bronze", "main", "silver"];

/** Looks for one offset in every table with one row per record. `record` null: not committed, or below what was ever logged. */
export async function readRecord(
  reader: LakeReader,
  source: SourceName,
  logOffset: number,
): Promise<{ snapshotId: SnapshotId; record: StoredRecord | null }> {
  const at = reader.latest();
  const offset = toOffset(logOffset);
  const tables = reader
    .tables(at)
    .filter((table) => table.kind === "append")
    .toSorted((left, right) => SCHEMA_ORDER.indexOf(left.schema) - SCHEMA_ORDER.indexOf(right.schema));
  let record: StoredRecord | null = null;
  for (const table of tables) {
    for await (const batch of reader.scan(table, { at, source, fromOffset: offset, toOffset: offset })) {
      if (batch.rowCount === 0) continue;
      const cells = table.columns.map((column, index): RecordCell => ({
        name: column.name,
        type: column.type,
        value: batch.columns[index]?.[0] ?? null,
      }));
      record = merge(record, qualifiedName(table), cells);
    }
  }
  return { snapshotId: at, record };
}

function merge(record: StoredRecord | null, table: string, cells: readonly RecordCell[]): StoredRecord {
  const known = new Set(record?.cells.map((cell) => cell.name));
  const added = cells.filter((cell) => !HIDDEN_COLUMNS.has(cell.name) && !known.has(cell.name));
  const kept = keptText(cells);
  if (record === null) return { table, cells: added, ...kept };
  return {
    table: record.table,
    cells: [...record.cells, ...added],
    raw: record.raw ?? kept.raw,
    rawBytes: record.rawBytes ?? kept.rawBytes,
  };
}

function keptText(cells: readonly RecordCell[]): Pick<StoredRecord, "raw" | "rawBytes"> {
  const raw = cells.find((cell) => RAW_COLUMNS.has(cell.name))?.value;
  const bytes = cells.find((cell) => cell.name === "raw_bytes")?.value;
  return {
    raw: typeof raw === "string" ? raw : null,
    rawBytes: bytes instanceof Uint8Array ? bytes : null,
  };
}
