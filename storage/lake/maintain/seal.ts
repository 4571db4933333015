import { setImmediate } from "node:timers/promises";
import { failpoint } from "../../failpoint/failpoint.ts";
import { toOffset, toSnapshotId, type Offset, type SnapshotId, type SourceName } from "../../model/brand.ts";
import { AppError } from "../../model/errors.ts";
import type { MaintenanceResult } from "../../model/lake.ts";
import type { TableBatch } from "../../model/table.ts";
import { batchOfRows } from "../catalog/cells.ts";
import { CatalogSession } from "../catalog/catalog-session.ts";
import { sealableRows, type LakeCounters } from "../catalog/counters.ts";
import type { HotTable, LiveRows } from "../catalog/hot-table.ts";
import { publishSnapshot } from "../catalog/publish-snapshot.ts";
import { toLakeError } from "../catalog/sqlite-errors.ts";
import { addDataFile, discardDataFiles, writeDataFile, type DataFile } from "../commit/data-files.ts";
import { recordMaintenance } from "./maintenance-log.ts";
import { verifyDataFile, type FileRows } from "../commit/file-rows.ts";

/** A file of one table's hot rows, and which rows they are, in the file's order. */
type SealedPart = {
  readonly hot: HotTable;
  readonly which: LiveRows;
  readonly file: DataFile;
  readonly rowNumbers: readonly number[];
  readonly hotBytes: number;
};

/** Bounds memory: a file's rows are encoded as a whole. */
const MAX_FILE_ROWS = 50_000;
const MAX_FILE_HOT_BYTES = 48 * 1_048_576;
/** Rows read from SQLite before the event loop gets a turn, so that heartbeats go on. */
const SLICE_ROWS = 1_000;

/** True where a seal is due: enough rows to move for good, or commits that are old enough behind the last seal point. */
export function isSealDue(session: CatalogSession, nowMs: number): boolean {
  const { counters } = session;
  const { sealRows, sealAgeMs } = session.options.settings;
  if (sealableRows(counters.tables.values()) >= sealRows) return true;
  return counters.unsealedSinceUs !== null && nowMs - counters.unsealedSinceUs / 1_000 >= sealAgeMs;
}

/**
 * Moves all hot rows into Parquet and makes the seal point: snapshot F without hot rows and, where windows are open, F + 1 at
 * which their rows begin again, both in one transaction. Does nothing where the newest snapshot is a seal point already.
 * Each file is read back and compared first. Errors: `seal-mismatch` (fatal), `disk-full`, `catalog-held` (nothing happened).
 */
export async function sealLake(
  session: CatalogSession,
  fileRows: FileRows,
): Promise<MaintenanceResult | null> {
  if (session.counters.unsealedSinceUs === null) return null;
  failpoint("seal-before");
  const parts: SealedPart[] = [];
  try {
    for (const table of session.tables) {
      const hot = session.hot(table.def);
      await writeParts(session, hot, "final", parts);
      await writeParts(session, hot, "open", parts);
    }
    for (const part of parts) await verifyDataFile(fileRows, part.file);
    failpoint("seal-files-written");
    const result = session.transaction("sealing", (counters) => sealInTransaction(session, counters, parts));
    failpoint("seal-after");
    return result;
  } catch (error) {
    await discardDataFiles(parts.map((part) => part.file));
    throw toLakeError(error, "sealing");
  } finally {
    await fileRows.close();
  }
}

async function writeParts(
  session: CatalogSession,
  hot: HotTable,
  which: LiveRows,
  parts: SealedPart[],
): Promise<void> {
  const rowNumbers = hot.liveRowNumbers(which);
  let next = 0;
  while (next < rowNumbers.length) {
    const batches: TableBatch[] = [];
    const first = next;
    let hotBytes = 0;
    while (next < rowNumbers.length && next - first < MAX_FILE_ROWS && hotBytes < MAX_FILE_HOT_BYTES) {
      const slice = rowNumbers.slice(next, next + SLICE_ROWS).map((rowNumber) => hot.at(rowNumber));
      for (const row of slice) hotBytes += row.bytes;
      batches.push(
        batchOfRows(
          hot.table.def,
          slice.map((row) => row.cells),
        ),
      );
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

function sealInTransaction(
  session: CatalogSession,
  counters: LakeCounters,
  parts: readonly SealedPart[],
): MaintenanceResult {
  const sealPoint = counters.snapshotId + 1;
  const flushes = new Set<string>();
  const restarts = new Set<string>();
  const openParts: { part: SealedPart; rowIdStart: number }[] = [];
  for (const part of parts) {
    const isOpen = part.which === "open";
    const life = { beginSnapshot: sealPoint, endSnapshot: isOpen ? sealPoint + 1 : null };
    const rowIdStart = addDataFile(session, counters, part.file, life);
    flushes.add(`inline_flush:${part.hot.table.tableId}`);
    if (isOpen) openParts.push({ part, rowIdStart });
  }
  for (const table of session.tables) endHotRows(counters, session.hot(table.def), parts, sealPoint);
  counters.unsealedSinceUs = null;
  const endedBytes = parts.reduce((sum, part) => sum + part.hotBytes, 0);
  const facts = { kind: "seal", endedBytes, range: null } as const;
  const published = publishSnapshot(session, counters, { ...facts, sealed: true, changes: flushes });

  for (const { part, rowIdStart } of openParts) {
    const table = CatalogSession.tableCounters(counters, part.hot.table);
    for (const [index, rowNumber] of part.rowNumbers.entries()) {
      part.hot.beginAgain(rowNumber, rowIdStart + index, sealPoint + 1);
    }
    table.hotRows += part.rowNumbers.length;
    table.openRows += part.rowNumbers.length;
    restarts.add(`deleted_from_table:${part.hot.table.tableId}`);
    restarts.add(`inlined_insert:${part.hot.table.tableId}`);
  }
  if (openParts.length > 0) {
    publishSnapshot(session, counters, { ...facts, endedBytes: 0, sealed: false, changes: restarts });
  }
  const result = {
    did: "seal",
    snapshotId: published.snapshotId,
    rows: parts.reduce((sum, part) => sum + part.rowNumbers.length, 0),
    files: parts.length,
    bytes: parts.reduce((sum, part) => sum + part.file.fileSizeBytes, 0),
  } as const;
  rememberSeal(session, sealPoint, published.commitTimeUs, result);
  failpoint("seal-in-transaction");
  return result;
}

/** Ends the table's hot rows; they must be exactly those that were written, or a row would be in no or in two places. */
function endHotRows(
  counters: LakeCounters,
  hot: HotTable,
  parts: readonly SealedPart[],
  sealPoint: number,
): void {
  const written = parts.reduce((sum, part) => (part.hot === hot ? sum + part.rowNumbers.length : sum), 0);
  const ended = hot.endAllLive(sealPoint);
  const table = CatalogSession.tableCounters(counters, hot.table);
  if (ended !== written || ended !== table.hotRows) {
    throw new AppError("seal-mismatch", `${hot.table.hotTable} has other rows than those that were sealed`, {
      details: { written, ended, counted: table.hotRows },
    });
  }
  table.hotRows = 0;
  table.openRows = 0;
}

function rememberSeal(
  session: CatalogSession,
  sealPoint: number,
  timeUs: number,
  result: MaintenanceResult,
): void {
  const { database } = session;
  database
    .prepare("INSERT INTO hw_seals VALUES (?, ?, ?, ?, ?)")
    .run(sealPoint, timeUs, result.rows, result.files, result.bytes);
  database.prepare("INSERT INTO hw_seal_offsets SELECT ?, source, checkpoint FROM hw_state").run(sealPoint);
  recordMaintenance(database, timeUs / 1_000, result, "");
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

/** Last offset of the source that a kept seal point holds in Parquet; 0 without one. */
export function sealedOffset(session: CatalogSession, source: SourceName): Offset {
  const sealed = session.database
    .prepare<[string], number | null>("SELECT max(sealed_offset) FROM hw_seal_offsets WHERE source = ?")
    .pluck()
    .get(source);
  return toOffset(sealed ?? 0);
}

/** Keeps the newest seal point for ever; make one first. Returns it, or null where the lake has none. */
export function pinNewestSeal(session: CatalogSession, reason: string): SnapshotId | null {
  return session.transaction("pinning", () => {
    const newest = session.database
      .prepare<[], number | null>("SELECT max(snapshot_id) FROM hw_seals")
      .pluck()
      .get();
    if (newest === null || newest === undefined) return null;
    session.database
      .prepare("INSERT OR REPLACE INTO hw_pins VALUES (?, ?, ?)")
      .run(newest, reason, session.nowUs());
    return toSnapshotId(newest);
  });
}
