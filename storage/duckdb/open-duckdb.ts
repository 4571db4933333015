import { rm } from "node:fs/promises";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { makeWorkFolder } from "./work-folder.ts";

/** Limits of one DuckDB. All sizes in bytes, all paths absolute. */
export type DuckDbOptions = {
  /** Spill files go into a folder of this instance's own inside this one; it is made, and removed at close. */
  readonly tempFolder: string;
  readonly tempLimitBytes: number;
  readonly memoryLimitBytes: number;
  readonly threads: number;
  /** The only folders whose files may be read or written (DuckDB knows no read-only access to a folder). */
  readonly allowedFolders: readonly string[];
  /** Keeps the footers of Parquet files that were read; for readers of files that never change, which ask again and again. */
  readonly keepsFooters?: boolean;
  /** Errors come as JSON with the byte of the statement that they mean; for those who show them to whoever typed it. */
  readonly placesErrors?: boolean;
};

/**
 * One in-memory DuckDB: no files but those of `allowedFolders` and its own spill folder, no extensions from outside, time zone
 * UTC, configuration locked. Opened by {@link openDuckDb}; must be closed.
 */
export class DuckDb {
  private readonly instance: DuckDBInstance;
  private readonly spillFolder: string;

  constructor(instance: DuckDBInstance, spillFolder: string) {
    this.instance = instance;
    this.spillFolder = spillFolder;
  }

  /** A connection; the caller closes it. Connections share tables, macros of one are seen by all unless TEMP. */
  async connect(): Promise<DuckDBConnection> {
    return this.instance.connect();
  }

  /** Frees everything. No statement may be running: interrupt it and wait for its end first. */
  async close(): Promise<void> {
    this.instance.closeSync();
    await rm(this.spillFolder, { recursive: true, force: true });
  }
}

/** Opens a confined in-memory DuckDB. Throws what making the spill folder throws. */
export async function openDuckDb(options: DuckDbOptions): Promise<DuckDb> {
  // Loaded at first use: the pipeline worker needs it for audits only, and loading takes 75 ms of its start.
  const { DuckDBInstance, DuckDBTimestampTZValue } = await import("@duckdb/node-api");
  // Values inside lists and structs print with the process's zone otherwise; every instant of ours is shown in UTC.
  DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0;
  // Names of spill files are the same in every instance, so two must not share a folder.
  const spillFolder = await makeWorkFolder(options.tempFolder, "duckdb");
  const instance = await DuckDBInstance.create(":memory:", {
    temp_directory: spillFolder,
    max_temp_directory_size: `${Math.floor(options.tempLimitBytes / 1024)}KiB`,
    memory_limit: `${Math.floor(options.memoryLimitBytes / 1024)}KiB`,
    threads: String(options.threads),
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
    allow_persistent_secrets: "false",
  });
  const connection = await instance.connect();
  try {
    const folders = options.allowedFolders.map((folder) => sqlText(folder)).join(", ");
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    if (options.keepsFooters === true) await connection.run("SET GLOBAL parquet_metadata_cache = true");
    if (options.placesErrors === true) await connection.run("SET GLOBAL errors_as_json = true");
    await connection.run(`SET GLOBAL allowed_directories = [${folders}]`);
    await connection.run("SET GLOBAL enable_external_access = false");
    await connection.run("SET GLOBAL lock_configuration = true");
  } finally {
    connection.closeSync();
  }
  return new DuckDb(instance, spillFolder);
}

/** A text as an SQL literal. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name as a quoted SQL identifier. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
