import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, realpathSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { openDuckDb, sqlName, sqlText } from "../duckdb/open-duckdb.ts";
import { makeWorkFolder } from "../duckdb/work-folder.ts";
import type { DataFolder } from "../files/data-folder.ts";
import type { LakeCatalog } from "../lake/read/lake-catalog.ts";
import { countOpenRows } from "../lake/read/open-rows.ts";
import type { ReadTable } from "../lake/read/read-tables.ts";
import type { SnapshotId } from "../model/brand.ts";
import { AppError } from "../model/errors.ts";
import { qualifiedName } from "../model/table.ts";
import type { QueryLimits } from "./query-limits.ts";
import { interruptible } from "./run-statement.ts";
import { SnapshotViews } from "./snapshot-views.ts";
import { prepareReading } from "./statement-guard.ts";

/** What to write where: a table (`schema.name`) or a statement; exactly one of the two. */
export type ExportRequest = {
  readonly sql: string | null;
  readonly table: string | null;
  readonly asOf: number | null;
  readonly path: string;
  readonly format: "parquet" | "csv" | "ndjson";
};

/** A finished file. `sha256` in hex, of the whole file. */
export type ExportResult = {
  readonly snapshotId: SnapshotId;
  readonly path: string;
  readonly rows: number;
  /** Rows of open windows among them, which may still change (column `state`); null for a statement. */
  readonly openRows: number | null;
  readonly bytes: number;
  readonly sha256: string;
};

/** What an export works with. */
export type ExportContext = {
  readonly folder: DataFolder;
  readonly limits: QueryLimits;
  readonly catalog: LakeCatalog;
  readonly at: SnapshotId;
};

const FORMATS = {
  parquet: "FORMAT parquet, COMPRESSION zstd",
  csv: "FORMAT csv, HEADER",
  ndjson: "FORMAT json",
} as const;

/**
 * Writes the result with a DuckDB of its own into the data folder's tmp/, then moves it to its target in one step: the target
 * is the old file or the whole new one. Throws `export-failed` (target not allowed, disk), and as a statement does.
 */
export async function exportResult(
  context: ExportContext,
  request: ExportRequest,
  signal: AbortSignal,
): Promise<ExportResult> {
  const target = allowedTarget(context.folder, request.path);
  const work = await makeWorkFolder(context.folder.tmp, "export");
  try {
    const file = join(work, `result.${request.format}`);
    const rows = await copyOut(context, request, { work, file }, signal);
    const openRows = openRowsOf(context, request);
    return { snapshotId: context.at, path: target, rows, openRows, ...(await moveTo(file, target, signal)) };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function copyOut(
  context: ExportContext,
  request: ExportRequest,
  place: { work: string; file: string },
  signal: AbortSignal,
): Promise<number> {
  const duckdb = await openDuckDb({
    tempFolder: join(place.work, "spill"),
    tempLimitBytes: context.limits.tempBytes,
    memoryLimitBytes: context.limits.memoryBytes,
    threads: context.limits.threads,
    allowedFolders: [context.folder.lakeData, place.work],
  });
  try {
    const connection = await duckdb.connect();
    try {
      const views = new SnapshotViews();
      await views.prepare(connection);
      await views.bindTo(connection, context.catalog, {
        at: context.at,
        isNewest: true,
        text: request.sql ?? request.table,
        columns: "all",
      });
      return await interruptible(connection, signal, async () => {
        const select = await selectOf(connection, context, request);
        const copied = await connection.run(
          `COPY (${select}) TO ${sqlText(place.file)} (${FORMATS[request.format]})`,
        );
        return copied.rowsChanged;
      });
    } finally {
      connection.closeSync();
    }
  } finally {
    await duckdb.close();
  }
}

/** The statement goes in as a literal: its text may end in a comment or a semicolon. */
async function selectOf(
  connection: DuckDBConnection,
  context: ExportContext,
  request: ExportRequest,
): Promise<string> {
  if (request.table !== null && request.sql === null) {
    const known = findTable(context, request.table);
    if (known !== undefined) return `FROM ${sqlName(known.def.schema)}.${sqlName(known.def.name)}`;
    throw new AppError("table-unknown", `there is no table ${request.table} in snapshot ${context.at}`);
  }
  const statement = request.sql === null ? null : await prepareReading(connection, request.sql);
  if (statement === null) throw new AppError("export-failed", "name a table or give one statement to export");
  statement.destroySync();
  return `FROM query(${sqlText(request.sql ?? "")})`;
}

function findTable({ catalog, at }: ExportContext, name: string): ReadTable | undefined {
  return catalog.tables(at).find((table) => qualifiedName(table.def) === name);
}

function openRowsOf(context: ExportContext, { sql, table }: ExportRequest): number | null {
  const known = table === null || sql !== null ? undefined : findTable(context, table);
  return known === undefined ? null : countOpenRows(context.catalog, known, context.at);
}

/** The target with links resolved. The lake and the log are written by their writers alone. */
function allowedTarget(folder: DataFolder, path: string): string {
  const target = resolve(path);
  let parent = "";
  try {
    parent = realpathSync(dirname(target));
  } catch (error) {
    throw new AppError("export-failed", `there is no folder ${dirname(target)}; make it first`, {
      cause: error,
    });
  }
  for (const own of [folder.lake, folder.logRoot, folder.leases, folder.workspace]) {
    const inside = `${realOf(own)}${sep}`;
    if (`${parent}${sep}`.startsWith(inside)) {
      throw new AppError("export-failed", `${own} belongs to the app; export to another folder`, {
        details: { path },
      });
    }
  }
  return join(parent, basename(target));
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not made yet: then nothing can lie in it, and its plain name is as good.
    return path;
  }
}

/** Copies beside the target (it may be on another disk), makes it durable, and renames over it. */
async function moveTo(
  file: string,
  target: string,
  signal: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  const beside = `${target}.${randomUUID()}.tmp`;
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(file), hashing, createWriteStream(beside, { flags: "wx" }), { signal });
    await syncFile(beside);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    if (signal.aborted) throw new AppError("statement-cancelled", "cancelled", { cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError("export-failed", `could not write ${target}: ${reason}`, { cause: error });
  }
  return { bytes: (await stat(target)).size, sha256: hash.digest("hex") };
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
