import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import Database from "better-sqlite3";
import { toSnapshotId, type SnapshotId } from "../../model/brand.ts";
import { AppError } from "../../model/errors.ts";
import { qualifiedName, type TableDef } from "../../model/table.ts";
import { BUSY_TIMEOUT_MS, type CatalogDatabase } from "../catalog/open-catalog.ts";
import { toLakeError } from "../catalog/sqlite-errors.ts";
import { readTables, type ReadTable } from "./read-tables.ts";

/** A sealed file of one table at one snapshot. */
export type SealedFile = { readonly path: string; readonly rows: number; readonly bytes: number };

/** A statement that finds a hot row by its number. */
export type RowStatement = { readonly get: (rowNumber: number) => unknown[] | undefined };

/** Bounds that let files be skipped by their statistics; inclusive. */
export type OffsetBounds = { readonly fromOffset?: number; readonly toOffset?: number };

/**
 * The catalog as a reader sees it. Each call is one short read transaction (well under a second), so the writer is never kept
 * from its WAL checkpoint. Errors of every call: `catalog-held` when another program holds the file, `store-unreadable`.
 */
export class LakeCatalog {
  readonly database: CatalogDatabase;
  /** Statements of hot rows by their text; at most 64. */
  readonly statements = new Map<string, RowStatement>();
  private readonly lakeData: string;
  private readonly owned: boolean;
  private readonly tablesByVersion = new Map<number, readonly ReadTable[]>();

  constructor(database: CatalogDatabase, lakeData: string, owned: boolean) {
    this.database = database;
    this.lakeData = lakeData;
    this.owned = owned;
  }

  /** Newest snapshot. */
  latest(): SnapshotId {
    return this.read("reading the newest snapshot", () => {
      const id = this.database
        .prepare<[], number>("SELECT max(snapshot_id) FROM ducklake_snapshot")
        .pluck()
        .get();
      return toSnapshotId(id ?? 0);
    });
  }

  /** `at`, or the newest snapshot. Throws `snapshot-unknown` for one that never was or has expired. */
  resolve(at: SnapshotId | undefined): SnapshotId {
    if (at === undefined) return this.latest();
    if (this.isKept(at)) return at;
    throw unknownSnapshot(at, this.latest());
  }

  /** True while the snapshot can be read. */
  isKept(at: SnapshotId): boolean {
    return this.read("looking for a snapshot", () => {
      const found = this.database.prepare("SELECT 1 FROM ducklake_snapshot WHERE snapshot_id = ?").get(at);
      return found !== undefined;
    });
  }

  /** When a kept snapshot was committed, as the catalog says it. Throws `snapshot-unknown`. */
  commitTime(at: SnapshotId): string {
    return this.read("reading a snapshot's time", () => {
      const time = this.database
        .prepare<[number], string>("SELECT snapshot_time FROM ducklake_snapshot WHERE snapshot_id = ?")
        .pluck()
        .get(at);
      if (time === undefined) throw unknownSnapshot(at, this.latest());
      return time;
    });
  }

  /** Tables at a kept snapshot. Throws `snapshot-unknown`. */
  tables(at: SnapshotId): readonly ReadTable[] {
    return this.read("reading the tables", () => {
      const version = this.database
        .prepare<[number], number>("SELECT schema_version FROM ducklake_snapshot WHERE snapshot_id = ?")
        .pluck()
        .get(at);
      if (version === undefined) throw unknownSnapshot(at, this.latest());
      // Tables change only with the schema's version, so following a live lake costs one look-up a snapshot.
      const known = this.tablesByVersion.get(version);
      if (known !== undefined) return known;
      const tables = readTables(this.database, at);
      if (this.tablesByVersion.size >= 8) this.tablesByVersion.clear();
      this.tablesByVersion.set(version, tables);
      return tables;
    });
  }

  /** A table at a kept snapshot. Throws `table-unknown`. */
  table(def: Pick<TableDef, "schema" | "name">, at: SnapshotId): ReadTable {
    const name = qualifiedName(def);
    const found = this.tables(at).find((table) => qualifiedName(table.def) === name);
    if (found !== undefined) return found;
    throw new AppError("table-unknown", `there is no table ${name} in snapshot ${at}`, {
      details: { table: name },
    });
  }

  /** Sealed files of a table at a snapshot, oldest rows first; those outside the bounds left out where statistics say so. */
  files(table: ReadTable, at: SnapshotId, bounds: OffsetBounds = {}): readonly SealedFile[] {
    const offsetColumn = table.def.columns.find((column) => column.name === "log_offset")?.id ?? -1;
    const rows = this.read("listing files", () =>
      this.database
        .prepare<
          unknown[],
          { path: string; path_is_relative: number; record_count: number; file_size_bytes: number }
        >(
          `SELECT f.path, f.path_is_relative, f.record_count, f.file_size_bytes FROM ducklake_data_file f
           LEFT JOIN ducklake_file_column_stats s ON s.data_file_id = f.data_file_id AND s.column_id = ?
           WHERE f.table_id = ? AND f.begin_snapshot <= ? AND (f.end_snapshot IS NULL OR f.end_snapshot > ?)
             AND f.record_count > 0
             AND (s.max_value IS NULL OR CAST(s.max_value AS INTEGER) >= ?)
             AND (s.min_value IS NULL OR CAST(s.min_value AS INTEGER) <= ?)
           ORDER BY f.row_id_start`,
        )
        .all(
          offsetColumn,
          table.tableId,
          at,
          at,
          bounds.fromOffset ?? Number.MIN_SAFE_INTEGER,
          bounds.toOffset ?? Number.MAX_SAFE_INTEGER,
        ),
    );
    return rows.map((row) => ({
      path: row.path_is_relative === 1 ? join(this.lakeData, table.folder, row.path) : row.path,
      rows: row.record_count,
      bytes: row.file_size_bytes,
    }));
  }

  /** Runs a read transaction; SQLite's errors become ours. */
  read<T>(doing: string, body: () => T): T {
    try {
      return this.database.inTransaction ? body() : this.database.transaction(body).deferred();
    } catch (error) {
      throw error instanceof AppError ? error : toLakeError(error, doing);
    }
  }

  /** Closes the connection unless it is the writer's. */
  close(): void {
    if (this.owned) this.database.close();
  }
}

/** The answer to a snapshot that cannot be read. */
export function unknownSnapshot(at: number, latest: number): AppError {
  return new AppError(
    "snapshot-unknown",
    `snapshot ${at} is not kept (newest: ${latest}); list those that are`,
    {
      details: { snapshotId: at, latest },
    },
  );
}

/**
 * Opens the catalog for reading only, or wraps the writer's own connection. Throws `snapshot-unknown` where no lake was made
 * yet, `catalog-held`, `store-unreadable`.
 */
export function openLakeCatalog(options: {
  catalogPath: string;
  lakeData: string;
  database?: CatalogDatabase;
}): LakeCatalog {
  if (!isAbsolute(options.lakeData)) throw new RangeError("the lake's data folder must be an absolute path");
  if (options.database !== undefined) return new LakeCatalog(options.database, options.lakeData, false);
  if (!existsSync(options.catalogPath)) {
    throw new AppError("snapshot-unknown", "nothing was committed yet: this data folder has no lake", {
      details: { path: options.catalogPath },
    });
  }
  let database: CatalogDatabase | null = null;
  try {
    database = new Database(options.catalogPath, {
      readonly: true,
      fileMustExist: true,
      timeout: BUSY_TIMEOUT_MS,
    });
    database.pragma("query_only = ON");
    database.pragma("cache_size = -8192");
    // A writer that was just started may not have got further than the empty file.
    const isMade =
      database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'hw_commits'").get() !== undefined;
    if (!isMade) throw new AppError("snapshot-unknown", "nothing was committed yet: the lake is being made");
    return new LakeCatalog(database, options.lakeData, true);
  } catch (error) {
    database?.close();
    throw error instanceof AppError ? error : toLakeError(error, "opening the catalog for reading");
  }
}
