import { type SnapshotId, type SourceName, toOffset } from "#storage/model/brand.ts";
import type { LakeReader } from "#storage/model/lake.ts";
import type { CellValue, TableDef } from "#storage/model/table.ts";

/** Offsets read and sorted at a time: about 50 MB of the widest rows that are read this way. */
const CHUNK_OFFSETS = 50_000;

/** Which rows, and which columns of them. */
export type RowsInOrder = {
  readonly source: SourceName;
  readonly columns: readonly string[];
  readonly fromOffset: number;
  /** Inclusive. */
  readonly toOffset: number;
  readonly at?: SnapshotId;
};

/** A row: its offset and the cells asked for. */
export type OrderedRow = { readonly offset: number; readonly cells: readonly CellValue[] };

/** Rows of an append table in offset order, in bounded memory: a scan alone is ordered only within each file. */
export async function* rowsInOrder(
  reader: LakeReader,
  table: TableDef,
  wanted: RowsInOrder,
): AsyncGenerator<readonly OrderedRow[]> {
  for (let from = Math.max(wanted.fromOffset, 1); from <= wanted.toOffset; from += CHUNK_OFFSETS) {
    const to = Math.min(from + CHUNK_OFFSETS - 1, wanted.toOffset);
    const rows: OrderedRow[] = [];
    const scan = reader.scan(table, {
      source: wanted.source,
      columns: ["log_offset", ...wanted.columns],
      fromOffset: toOffset(from),
      toOffset: toOffset(to),
      ...(wanted.at === undefined ? {} : { at: wanted.at }),
    });
    for await (const batch of scan) {
      const [offsets = [], ...columns] = batch.columns;
      for (let row = 0; row < batch.rowCount; row += 1) {
        rows.push({ offset: numberCell(offsets[row]), cells: columns.map((column) => column[row] ?? null) });
      }
    }
    yield rows.sort((left, right) => left.offset - right.offset);
  }
}

/** A cell of a column that holds numbers and no nulls. Throws a TypeError for anything else. */
export function numberCell(cell: CellValue | undefined): number {
  if (typeof cell === "number") return cell;
  throw new TypeError(`expected a number, found ${typeof cell}`);
}

/** A number, or null. */
export function optionalNumberCell(cell: CellValue | undefined): number | null {
  return cell === null || cell === undefined ? null : numberCell(cell);
}

/** A text cell, whichever form it came in; "" for null. */
export function textCell(cell: CellValue | undefined): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "string") return cell;
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString("utf8");
  throw new TypeError(`expected text, found ${typeof cell}`);
}

/** A text, or null. */
export function optionalTextCell(cell: CellValue | undefined): string | null {
  return cell === null || cell === undefined ? null : textCell(cell);
}
