import { statSync } from "node:fs";
import { BUSY_TIMEOUT_MS, type CatalogDatabase } from "../catalog/open-catalog.ts";

/** From which sizes of the WAL something is done about it. */
export type WalLimits = {
  /** Maintenance copies it into the database between commits. */
  readonly checkpointBytes: number;
  /** The file itself is cut back: it grew under a foreign reader's open transaction (field case C18). */
  readonly truncateBytes: number;
};

/** Checkpoints small enough to take a few milliseconds; a WAL that outgrew its usual size limit is cut. */
const WAL_LIMITS: WalLimits = { checkpointBytes: 4 * 1_048_576, truncateBytes: 24 * 1_048_576 };
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
export function tendCatalogFiles(
  database: CatalogDatabase,
  catalogPath: string,
  limits: WalLimits = WAL_LIMITS,
): void {
  const bytes = walBytes(catalogPath);
  if (bytes >= limits.checkpointBytes && checkpointWal(database) && bytes >= limits.truncateBytes) {
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
