import { statSync } from "node:fs";
import { BUSY_TIMEOUT_MS, type CatalogDatabase } from "../catalog/open-catalog.ts";

/** WAL size from which maintenance copies it into the database between commits. */
const CHECKPOINT_BYTES = 4 * 1_048_576;
/** WAL size from which the file itself is cut back: it grew under a foreign reader's open transaction (field case C18). */
const TRUNCATE_BYTES = 24 * 1_048_576;
/** Free pages that are worth giving back to the disk: 64 MB of 4 kB pages. */
const VACUUM_PAGES = 16_384;
/** Pages given back in one step. */
const VACUUM_STEP_PAGES = 1_000;

type CheckpointRow = { busy: number; log: number; checkpointed: number };

/** Bytes of a catalog's write-ahead log, 0 where there is none. */
export function walBytes(catalogPath: string): number {
  return statSync(`${catalogPath}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** Carries every commit so far into the database file. False where a reader or another program keeps that from being so. */
export function checkpointWal(database: CatalogDatabase): boolean {
  const row = pragmaRow(database, "wal_checkpoint(PASSIVE)");
  return row !== null && row.busy === 0 && row.log === row.checkpointed;
}

/** Keeps the catalog's files small; one bounded step, never waits for anybody. */
export function tendCatalogFiles(database: CatalogDatabase, catalogPath: string): void {
  const bytes = walBytes(catalogPath);
  if (bytes >= CHECKPOINT_BYTES && checkpointWal(database) && bytes >= TRUNCATE_BYTES) {
    database.pragma("busy_timeout = 0");
    pragmaRow(database, "wal_checkpoint(TRUNCATE)");
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
  const freePages = Number(database.pragma("freelist_count", { simple: true }));
  const pages = Number(database.pragma("page_count", { simple: true }));
  if (freePages > VACUUM_PAGES && freePages > pages / 2) {
    database.pragma(`incremental_vacuum(${VACUUM_STEP_PAGES})`);
  }
}

function pragmaRow(database: CatalogDatabase, pragma: string): CheckpointRow | null {
  return database.prepare<[], CheckpointRow>(`PRAGMA ${pragma}`).get() ?? null;
}
