import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { AppError } from "../../model/errors.ts";
import { DUCKLAKE_DDL } from "./ducklake-ddl.ts";
import { findNewerFiles, refuseOlderCatalog, setFilesAside } from "./file-snapshots.ts";
import { CATALOG_MIGRATIONS } from "./migrations.ts";
import { formatTimestamp } from "./timestamps.ts";
import { toLakeError } from "./sqlite-errors.ts";

/** An open connection to the catalog. */
export type CatalogDatabase = Database.Database;

/** A long busy wait would stop the worker's heartbeat (architecture.md "Durability"); callers retry from a timer. */
export const BUSY_TIMEOUT_MS = 200;

/**
 * To this the WAL file is cut back when it begins anew behind a checkpoint; about four live commits. Well below the size at which
 * maintenance checkpoints, or the file would stay above that for ever and every commit have its checkpoint.
 */
const WAL_SIZE_LIMIT_BYTES = 1_048_576;

/** Backstop only (16 MB): maintenance checkpoints earlier, between commits. */
const WAL_AUTOCHECKPOINT_PAGES = 4_000;

/** What to do with files of a newer catalog than the one that is there. */
export type OlderCatalogPolicy = {
  /** Where they are moved to. */
  readonly setAsideTo: string;
  /** Null when every record behind these checkpoints can be processed again; else why not, a sentence. */
  readonly whyNotAgain: (checkpoints: ReadonlyMap<string, number>) => string | null;
};

/** Files that were moved out of a catalog's way. */
export type SetAside = { readonly files: number; readonly to: string; readonly highestSnapshot: number };

/** How to open the catalog. Without `olderCatalog` one that is older than its files is refused. */
export type OpenCatalogOptions = {
  readonly catalogPath: string;
  readonly lakeData: string;
  readonly nowUs: number;
  readonly olderCatalog?: OlderCatalogPolicy | undefined;
};

/**
 * Opens the catalog for the writer, creates it with snapshot 0 where there is none, brings our own tables up to date and
 * makes `data_path` this folder's (a moved folder is put right in a transaction). A catalog that is missing is refused as
 * `store-unreadable` where there are Parquet files below `lakeData`, before anything is written; so is one that is older than
 * them, unless their records can be processed again: then they are set aside.
 * Errors: `catalog-held`, `disk-full`, `store-unreadable`, `data-folder-too-new`.
 */
export function openCatalog(options: OpenCatalogOptions): {
  readonly database: CatalogDatabase;
  readonly setAside: SetAside | null;
} {
  mkdirSync(dirname(options.catalogPath), { recursive: true });
  mkdirSync(options.lakeData, { recursive: true });
  const isNew = !existsSync(options.catalogPath);
  // Before the file is made: a refused start must find it missing the next time, too.
  const orphaned = isNew ? findNewerFiles(options.lakeData, null) : null;
  if (orphaned !== null) throw refuseOlderCatalog(options.catalogPath, options.lakeData, null, orphaned);
  let database: CatalogDatabase | null = null;
  try {
    database = new Database(options.catalogPath, { timeout: BUSY_TIMEOUT_MS });
    // Takes effect only before the first table: lets the file shrink after a burst.
    if (isNew) database.pragma("auto_vacuum = INCREMENTAL");
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    // macOS: fsync alone does not reach the platter. Ignored elsewhere.
    database.pragma("fullfsync = ON");
    database.pragma(`journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`);
    database.pragma(`wal_autocheckpoint = ${WAL_AUTOCHECKPOINT_PAGES}`);
    database.pragma("cache_size = -32768");
    const setAside = isNew ? null : setNewerFilesAside(database, options);
    prepareCatalog(database, options);
    return { database, setAside };
  } catch (error) {
    database?.close();
    throw toLakeError(error, "opening the catalog");
  }
}

function setNewerFilesAside(database: CatalogDatabase, options: OpenCatalogOptions): SetAside | null {
  const { catalogPath, lakeData, olderCatalog } = options;
  const newest = newestSnapshot(database);
  const found = findNewerFiles(lakeData, newest);
  if (found === null) return null;
  // A catalog that says nothing of any source has nothing to go on from: it is to be rebuilt, not to be continued.
  if (newest === null || olderCatalog === undefined)
    throw refuseOlderCatalog(catalogPath, lakeData, newest, found);
  const why = olderCatalog.whyNotAgain(readCheckpoints(database));
  if (why !== null) throw refuseOlderCatalog(catalogPath, lakeData, newest, found, why);
  setFilesAside(lakeData, found.names, olderCatalog.setAsideTo);
  return {
    files: found.names.length,
    to: olderCatalog.setAsideTo,
    highestSnapshot: found.highestSnapshot,
  };
}

function readCheckpoints(database: CatalogDatabase): ReadonlyMap<string, number> {
  if (!hasTable(database, "hw_state")) return new Map();
  return new Map(
    database.prepare<[], [string, number]>("SELECT source, checkpoint FROM hw_state").raw().all(),
  );
}

function prepareCatalog(database: CatalogDatabase, options: { lakeData: string; nowUs: number }): void {
  const dataPath = `${options.lakeData.replace(/[/\\]+$/, "")}/`;
  database
    .transaction(() => {
      const isNew = !hasTable(database, "ducklake_metadata");
      if (isNew) createDuckLake(database, dataPath, options.nowUs);
      migrate(database);
      if (isNew) {
        database
          .prepare("INSERT INTO hw_commits VALUES (0, 'schema', NULL, NULL, NULL, NULL, NULL, ?, 0, 0)")
          .run(options.nowUs);
      }
      database
        .prepare("UPDATE ducklake_metadata SET value = ? WHERE key = 'data_path' AND value <> ?")
        .run(dataPath, dataPath);
    })
    .immediate();
}

/** Null where the file holds no catalog. */
function newestSnapshot(database: CatalogDatabase): number | null {
  if (!hasTable(database, "ducklake_snapshot")) return null;
  return (
    database.prepare<[], number | null>("SELECT max(snapshot_id) FROM ducklake_snapshot").pluck().get() ??
    null
  );
}

function hasTable(database: CatalogDatabase, name: string): boolean {
  return (
    database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined
  );
}

function createDuckLake(database: CatalogDatabase, dataPath: string, nowUs: number): void {
  database.exec(DUCKLAKE_DDL);
  const metadata = database.prepare("INSERT INTO ducklake_metadata (key, value) VALUES (?, ?)");
  metadata.run("version", "1.0");
  metadata.run("created_by", "Highwater");
  metadata.run("data_path", dataPath);
  metadata.run("encrypted", "false");
  database.prepare("INSERT INTO ducklake_snapshot VALUES (0, ?, 0, 1, 0)").run(formatTimestamp(nowUs));
  database
    .prepare("INSERT INTO ducklake_snapshot_changes VALUES (0, ?, NULL, NULL, NULL)")
    .run(`created_schema:"main"`);
  database
    .prepare("INSERT INTO ducklake_schema VALUES (0, ?, 0, NULL, 'main', 'main/', 1)")
    .run(globalThis.crypto.randomUUID());
}

function migrate(database: CatalogDatabase): void {
  const done = Number(database.pragma("user_version", { simple: true }));
  if (done > CATALOG_MIGRATIONS.length) {
    throw new AppError("data-folder-too-new", "this lake was written by a newer version; update the app", {
      details: { catalogVersion: done, knownVersion: CATALOG_MIGRATIONS.length },
    });
  }
  for (const step of CATALOG_MIGRATIONS.slice(done)) database.exec(step);
  database.pragma(`user_version = ${CATALOG_MIGRATIONS.length}`);
}
