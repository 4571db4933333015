import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { openDuckDb, sqlName, sqlText } from "../duckdb/open-duckdb.ts";
import type { DataFolder } from "../files/data-folder.ts";
import type { LakeCatalog } from "../lake/read/lake-catalog.ts";
import { countOpenRows } from "../lake/read/open-rows.ts";
import type { ReadTable } from "../lake/read/read-tables.ts";
import type { SnapshotId } from "../model/brand.ts";
import { AppError } from "../model/errors.ts";
import { qualifiedName } from "../model/table.ts";
import type { ExportedColumn, ExportedFile } from "./export-manifest.ts";
import type { QueryLimits } from "./query-limits.ts";
import { interruptible } from "./run-statement.ts";
import { SnapshotViews } from "./snapshot-views.ts";
import { prepareReading } from "./statement-guard.ts";

/** Format of exported files. */
export type ExportFormat = "parquet" | "csv" | "ndjson";

/** What an export works with. */
export type ExportContext = {
  readonly folder: DataFolder;
  readonly limits: QueryLimits;
  readonly catalog: LakeCatalog;
  readonly at: SnapshotId;
};

/** A table (`schema.name`) or a statement to copy. */
export type ExportedThing = { readonly table: string } | { readonly sql: string };

/** Bytes of the file that is being written; DuckDB's own share of the work is not to be had in a locked configuration. */
export type CopyProgress = (writtenBytes: number) => void;

/** What was copied, before its file has a place and a hash. */
export type Copied = Omit<ExportedFile, "file" | "bytes" | "sha256">;

/** Rows of one row group: DuckDB's own number, said here so that files do not change with DuckDB's default. */
const ROW_GROUP_ROWS = 122_880;

const FORMATS: Readonly<Record<ExportFormat, string>> = {
  parquet: `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}`,
  csv: "FORMAT csv, HEADER",
  ndjson: "FORMAT json",
};

/** The file is looked at this often; a person reads no faster. */
const PROGRESS_EVERY_MS = 250;

/**
 * A DuckDB of one export, over the views of one snapshot. It has one thread: then the same rows give the same bytes, whatever
 * machine it runs on. Opened by {@link openExportDuckDb}; must be closed.
 */
export class ExportDuckDb {
  private readonly context: ExportContext;
  private readonly connection: DuckDBConnection;
  private readonly views: SnapshotViews;
  readonly close: () => Promise<void>;

  constructor(
    context: ExportContext,
    connection: DuckDBConnection,
    views: SnapshotViews,
    close: () => Promise<void>,
  ) {
    this.context = context;
    this.connection = connection;
    this.views = views;
    this.close = close;
  }

  /** Copies a table or a statement's result to `file` (inside the work folder). Throws as a statement does, and `table-unknown`. */
  async copy(
    thing: ExportedThing,
    file: string,
    format: ExportFormat,
    signal: AbortSignal,
    onProgress: CopyProgress = () => undefined,
  ): Promise<Copied> {
    const { connection, context } = this;
    const text = "sql" in thing ? thing.sql : thing.table;
    const timer = setInterval(() => void writtenBytes(file).then(onProgress), PROGRESS_EVERY_MS);
    try {
      await this.views.bindTo(connection, context.catalog, {
        at: context.at,
        isNewest: true,
        text,
        columns: "all",
        signal,
      });
      return await interruptible(connection, signal, async () => {
        const { select, ...known } = await this.describe(thing);
        const copied = await connection.run(`COPY (${select}) TO ${sqlText(file)} (${FORMATS[format]})`);
        const rows = copied.rowsChanged;
        const settledRows = known.openRows === null ? null : rows - known.openRows;
        return { ...known, rows, settledRows };
      });
    } finally {
      clearInterval(timer);
    }
  }

  private async describe(
    thing: ExportedThing,
  ): Promise<Omit<Copied, "rows" | "settledRows"> & { readonly select: string }> {
    return "sql" in thing ? this.describeStatement(thing.sql) : this.describeTable(thing.table);
  }

  private async describeTable(name: string) {
    const { catalog, at } = this.context;
    const known = findTable(this.context, name);
    if (known === undefined)
      throw new AppError("table-unknown", `there is no table ${name} in snapshot ${at}`);
    const { def } = known;
    const from = `FROM ${sqlName(def.schema)}.${sqlName(def.name)}`;
    const columns = (await this.columnsOf(from)).map((column) => ({
      ...column,
      nullable: def.columns.find((defined) => defined.name === column.name)?.nullable ?? true,
    }));
    const select = `${from} ORDER BY ${def.key.map((column) => sqlName(column)).join(", ")}`;
    const openRows = countOpenRows(catalog, known, at);
    return { select, table: name, statement: null, openRows, orderedBy: def.key, columns };
  }

  private async describeStatement(sql: string) {
    const statement = await prepareReading(this.connection, sql);
    if (statement === null)
      throw new AppError("export-failed", "name a table or give one statement to export");
    statement.destroySync();
    // As a literal: its text may end in a comment or a semicolon.
    const select = `FROM query(${sqlText(sql)})`;
    const columns = await this.columnsOf(select);
    return { select, table: null, statement: sql, openRows: null, orderedBy: null, columns };
  }

  private async columnsOf(select: string): Promise<readonly ExportedColumn[]> {
    const described = await this.connection.runAndReadAll(`DESCRIBE ${select}`);
    return described
      .getRowObjects()
      .map((row) => ({ name: String(row["column_name"]), type: String(row["column_type"]), nullable: true }));
  }
}

async function writtenBytes(file: string): Promise<number> {
  // Not there before its first row group: nothing was written.
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** The table of a qualified name at the snapshot. */
function findTable({ catalog, at }: ExportContext, name: string): ReadTable | undefined {
  return catalog.tables(at).find((table) => qualifiedName(table.def) === name);
}

/** Opens a DuckDB that may read the lake and write into `work`. */
export async function openExportDuckDb(context: ExportContext, work: string): Promise<ExportDuckDb> {
  const duckdb = await openDuckDb({
    tempFolder: join(work, "spill"),
    tempLimitBytes: context.limits.tempBytes,
    memoryLimitBytes: context.limits.memoryBytes,
    threads: 1,
    allowedFolders: [context.folder.lakeData, work],
    placesErrors: true,
  });
  const connection = await duckdb.connect();
  const close = async (): Promise<void> => {
    connection.closeSync();
    await duckdb.close();
  };
  try {
    const views = new SnapshotViews();
    await views.prepare(connection);
    return new ExportDuckDb(context, connection, views, close);
  } catch (error) {
    await close();
    throw error;
  }
}
