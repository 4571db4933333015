import type { CellValue, TableBatch } from "../../model/table.ts";
import { CatalogSession } from "../catalog/catalog-session.ts";
import { batchRow } from "../catalog/cells.ts";
import type { LakeCounters, TableCounters } from "../catalog/counters.ts";
import type { HotRow, HotTable } from "../catalog/hot-table.ts";
import { OPEN_STATE, type LakeTable } from "../catalog/lake-table.ts";
import { addHash, batchHash, rowHash, subtractHash } from "../hash/row-hash.ts";
import { addDataFile, type DataFile } from "./data-files.ts";

/**
 * Rows of one snapshot in the making: writes them into the catalog and keeps account of counts, hashes, ended bytes and
 * DuckLake's change list. Lives within one transaction; `counters` is that transaction's draft.
 */
export class ChangeSet {
  readonly changes = new Set<string>();
  endedBytes = 0;
  readonly #session: CatalogSession;
  readonly #counters: LakeCounters;
  readonly #snapshotId: number;

  constructor(session: CatalogSession, counters: LakeCounters) {
    this.#session = session;
    this.#counters = counters;
    this.#snapshotId = counters.snapshotId + 1;
  }

  /** Adds rows that are new to the lake, hot. */
  append(batch: TableBatch): void {
    if (batch.rowCount === 0) return;
    const hot = this.#session.hot(batch.table);
    const counters = this.#of(hot.table);
    hot.insertBatch(counters.nextRowId, this.#snapshotId, batch);
    counters.nextRowId += batch.rowCount;
    counters.rowCount += batch.rowCount;
    counters.hotRows += batch.rowCount;
    counters.openRows += countOpen(hot.table, batch);
    counters.contentHash = addHash(counters.contentHash, batchHash(batch));
    this.changes.add(`inlined_insert:${hot.table.tableId}`);
  }

  /** Adds a file whose rows are new to the lake. */
  appendFile(file: DataFile): void {
    const counters = this.#of(file.table);
    addDataFile(this.#session, this.#counters, file, { beginSnapshot: this.#snapshotId, endSnapshot: null });
    counters.rowCount += file.rowCount;
    counters.contentHash = addHash(counters.contentHash, file.contentHash);
    this.changes.add(`inserted_into_table:${file.table.tableId}`);
  }

  /** Replaces hot rows by key, or adds them. A row that would not change is left alone. */
  upsert(batch: TableBatch): void {
    const hot = this.#session.hot(batch.table);
    for (let index = 0; index < batch.rowCount; index += 1) this.upsertRow(hot, batchRow(batch, index));
  }

  /** Ends the hot rows with the keys of `batch`, whose new rows are in a file; where there is none, nothing. */
  endHot(batch: TableBatch): void {
    const hot = this.#session.hot(batch.table);
    for (let index = 0; index < batch.rowCount; index += 1) {
      const old = hot.find(batchRow(batch, index));
      if (old !== null) this.#end(hot, old, rowHash(hot.table.def, old.cells));
    }
  }

  /** Replaces one hot row by key, or adds it. */
  upsertRow(hot: HotTable, cells: readonly CellValue[]): void {
    const { table } = hot;
    const counters = this.#of(table);
    const hash = rowHash(table.def, cells);
    const old = hot.find(cells);
    if (old !== null) {
      const oldHash = rowHash(table.def, old.cells);
      if (oldHash === hash) return;
      this.#end(hot, old, oldHash);
    }
    const rowId = old?.rowId ?? counters.nextRowId;
    if (old === null) counters.nextRowId += 1;
    hot.insert(rowId, this.#snapshotId, cells);
    counters.rowCount += 1;
    counters.hotRows += 1;
    if (isOpen(table, cells)) counters.openRows += 1;
    counters.contentHash = addHash(counters.contentHash, hash);
    this.changes.add(`inlined_insert:${table.tableId}`);
  }

  /** Takes a sealed file out of the lake: older snapshots go on reading it. `contentHash` and `rowCount` are its rows'. */
  endFile(
    table: LakeTable,
    file: { fileId: number; rowCount: number; fileSizeBytes: number; contentHash: bigint },
  ): void {
    const counters = this.#of(table);
    this.#session.database
      .prepare("UPDATE ducklake_data_file SET end_snapshot = ? WHERE data_file_id = ?")
      .run(this.#snapshotId, file.fileId);
    counters.rowCount -= file.rowCount;
    counters.fileBytes -= file.fileSizeBytes;
    counters.contentHash = subtractHash(counters.contentHash, file.contentHash);
    this.changes.add(`deleted_from_table:${table.tableId}`);
  }

  #end(hot: HotTable, row: HotRow, hash: bigint): void {
    const counters = this.#of(hot.table);
    hot.end(row.rowNumber, this.#snapshotId);
    counters.rowCount -= 1;
    counters.hotRows -= 1;
    if (isOpen(hot.table, row.cells)) counters.openRows -= 1;
    counters.contentHash = subtractHash(counters.contentHash, hash);
    this.endedBytes += row.bytes;
    this.changes.add(`inlined_delete:${hot.table.tableId}`);
  }

  #of(table: LakeTable): TableCounters {
    return CatalogSession.tableCounters(this.#counters, table);
  }
}

function isOpen(table: LakeTable, cells: readonly CellValue[]): boolean {
  return table.stateIndex >= 0 && cells[table.stateIndex] === OPEN_STATE;
}

function countOpen(table: LakeTable, batch: TableBatch): number {
  if (table.stateIndex < 0) return 0;
  return batch.columns[table.stateIndex]?.filter((state) => state === OPEN_STATE).length ?? 0;
}
