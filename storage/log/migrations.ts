import type { Database } from "better-sqlite3";
import { AppError } from "../model/errors.ts";

/**
 * Schema of a segment, step by step; the file's `user_version` is the number of steps it has. A new step is the last
 * entry. Closed segments are never migrated (they may be open in readers), so readers must understand every version.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE blocks (
     first_offset INTEGER PRIMARY KEY,
     record_count INTEGER NOT NULL,
     raw_bytes INTEGER NOT NULL,
     codec INTEGER NOT NULL,
     body BLOB NOT NULL
   ) STRICT;
   CREATE TABLE settings_changes (log_offset INTEGER PRIMARY KEY, settings TEXT NOT NULL) STRICT;
   CREATE TABLE meta (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     source TEXT NOT NULL,
     first_offset INTEGER NOT NULL,
     head INTEGER NOT NULL,
     cursor TEXT,
     counters TEXT NOT NULL,
     settings TEXT NOT NULL,
     body_bytes INTEGER NOT NULL,
     created_time_ms INTEGER NOT NULL,
     last_received_ms INTEGER NOT NULL
   ) STRICT;`,
];

/** Version of a segment that this build writes. */
export const LOG_SCHEMA_VERSION = MIGRATIONS.length;

/** The version of an open segment: 0 = created but nothing in it yet. */
export function readSchemaVersion(database: Database): number {
  return Number(database.pragma("user_version", { simple: true }));
}

/** Throws `data-folder-too-new` when this build does not know `version`. */
export function assertKnownVersion(version: number, path: string): void {
  if (version <= LOG_SCHEMA_VERSION) return;
  throw new AppError(
    "data-folder-too-new",
    `${path} was written by a newer version (schema ${version}, this one knows ${LOG_SCHEMA_VERSION}). Use that version.`,
    { details: { path, version } },
  );
}

/** Brings an open segment to {@link LOG_SCHEMA_VERSION}; every step and its version number in one transaction. */
export function migrateSegment(database: Database): void {
  database
    .transaction(() => {
      for (let version = readSchemaVersion(database); version < LOG_SCHEMA_VERSION; version += 1) {
        database.exec(MIGRATIONS[version] ?? "");
        database.pragma(`user_version = ${version + 1}`);
      }
    })
    .immediate();
}
