import { failpoint } from "../../failpoint/failpoint.ts";
import { toSnapshotId, type SnapshotId } from "../../model/brand.ts";
import { AppError } from "../../model/errors.ts";
import type { MaintenanceResult } from "../../model/lake.ts";
import { CatalogSession } from "../catalog/catalog-session.ts";
import { sealableRows, type LakeCounters } from "../catalog/counters.ts";
import type { HotTable } from "../catalog/hot-table.ts";
import { publishSnapshot } from "../catalog/publish-snapshot.ts";
import { toLakeError } from "../catalog/sqlite-errors.ts";
import { addDataFile } from "../commit/data-files.ts";
import { discardParts, rowsWithout, writeParts, type SealedPart } from "./seal-parts.ts";
import { recordMaintenance } from "./maintenance-log.ts";
import { verifyDataFile, type FileRows } from "../commit/file-rows.ts";

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
 * `early`: files of rows that were written before ({@link startEarlySeal}). Each file is read back and compared first.
 * Errors: `seal-mismatch` (fatal), `disk-full`, `catalog-held`; then nothing happened and no file is left, early ones included.
 */
export async function sealLake(
  session: CatalogSession,
  fileRows: FileRows,
  early: readonly SealedPart[] = [],
): Promise<MaintenanceResult | null> {
  if (session.counters.unsealedSinceUs === null) {
    await discardParts(early);
    return null;
  }
  failpoint("seal-before");
  const parts: SealedPart[] = [...early];
  try {
    const late: SealedPart[] = [];
    for (const table of session.tables) {
      const hot = session.hot(table.def);
      await writeParts(session, hot, "final", rowsWithout(hot, early), late);
      await writeParts(session, hot, "open", hot.liveRowNumbers("open"), late);
      parts.push(...late.splice(0));
    }
    for (const part of parts.slice(early.length)) await verifyDataFile(fileRows, part.file);
    failpoint("seal-files-written");
    const result = session.transaction("sealing", (counters) => sealInTransaction(session, counters, parts));
    failpoint("seal-after");
    return result;
  } catch (error) {
    await discardParts(parts);
    throw toLakeError(error, "sealing");
  } finally {
    await fileRows.close();
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
