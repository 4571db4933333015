import { setImmediate } from "node:timers/promises";
import type { TableBatch } from "../../model/table.ts";
import { batchOfRows } from "../catalog/cells.ts";
import type { CatalogSession } from "../catalog/catalog-session.ts";
import type { HotTable, LiveRows } from "../catalog/hot-table.ts";
import { discardDataFiles, writeDataFile, type DataFile } from "../commit/data-files.ts";

/** A file of one table's hot rows, and which rows they are, in the file's order. */
export type SealedPart = {
  readonly hot: HotTable;
  readonly which: LiveRows;
  readonly file: DataFile;
  readonly rowNumbers: readonly number[];
  readonly hotBytes: number;
};

/** Bounds memory: a file's rows are encoded as a whole. */
const MAX_FILE_ROWS = 50_000;
const MAX_FILE_HOT_BYTES = 48 * 1_048_576;
/** Rows read from SQLite before the event loop gets a turn (about 5 ms), so that commits and heartbeats go on. */
const SLICE_ROWS = 250;

/** Writes the live rows of those numbers into files and adds them to `parts` one by one, so that the caller can discard them. */
export async function writeParts(
  session: CatalogSession,
  hot: HotTable,
  which: LiveRows,
  rowNumbers: readonly number[],
  parts: SealedPart[],
): Promise<void> {
  let next = 0;
  while (next < rowNumbers.length) {
    const batches: TableBatch[] = [];
    const first = next;
    let hotBytes = 0;
    while (next < rowNumbers.length && next - first < MAX_FILE_ROWS && hotBytes < MAX_FILE_HOT_BYTES) {
      const slice = rowNumbers.slice(next, next + SLICE_ROWS).map((rowNumber) => hot.at(rowNumber));
      const cells = slice.map((row) => row.cells);
      for (const row of slice) hotBytes += row.bytes;
      batches.push(batchOfRows(hot.table.def, cells));
      next += slice.length;
      await setImmediate();
    }
    const file = await writeDataFile(session.options.lakeData, hot.table, batches, {
      kind: which === "open" ? "open-windows" : "seal",
      offsets: unsealedOffsets(session),
      snapshotId: session.counters.snapshotId + 1,
      replaces: [],
    });
    parts.push({ hot, which, file, rowNumbers: rowNumbers.slice(first, next), hotBytes });
  }
}

/** Removes the files of parts that the catalog will not name. */
export async function discardParts(parts: readonly SealedPart[]): Promise<void> {
  await discardDataFiles(parts.map((part) => part.file));
}

/** The table's live final rows that are in none of the parts. */
export function rowsWithout(hot: HotTable, parts: readonly SealedPart[]): readonly number[] {
  const written = new Set(parts.flatMap((part) => (part.hot === hot ? part.rowNumbers : [])));
  const live = hot.liveRowNumbers("final");
  return written.size === 0 ? live : live.filter((rowNumber) => !written.has(rowNumber));
}

/** True while every row of the parts is still live: an amend may have ended one since it was written. */
export function areLive(parts: readonly SealedPart[]): boolean {
  const hotTables = new Set(parts.map((part) => part.hot));
  for (const hot of hotTables) {
    const live = new Set(hot.liveRowNumbers("final"));
    const isWhole = parts.every(
      (part) => part.hot !== hot || part.rowNumbers.every((rowNumber) => live.has(rowNumber)),
    );
    if (!isWhole) return false;
  }
  return true;
}

/** Per source the offsets behind the newest seal point: every hot row of an append table is of one of them. */
function unsealedOffsets(session: CatalogSession): Record<string, readonly [number, number]> {
  const rows = session.database
    .prepare<[], { source: string; sealed: number; checkpoint: number }>(
      `SELECT source, checkpoint, coalesce((SELECT max(sealed_offset) FROM hw_seal_offsets o WHERE o.source = s.source), 0)
       AS sealed FROM hw_state s`,
    )
    .all();
  return Object.fromEntries(rows.map((row) => [row.source, [row.sealed + 1, row.checkpoint]]));
}
