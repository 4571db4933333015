import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { openDuckDb, type DuckDb } from "../duckdb/open-duckdb.ts";
import type { DataFolder } from "../files/data-folder.ts";
import { assertSameFile, fileIdentity } from "../files/file-identity.ts";
import { readCommitOf, readSources, readState } from "../lake/read/catalog-account.ts";
import { openLakeCatalog, unknownSnapshot, type LakeCatalog } from "../lake/read/lake-catalog.ts";
import { openLakeReader } from "../lake/read/lake-reader.ts";
import { toSnapshotId, type SnapshotId, type SourceName } from "../model/brand.ts";
import type { LakeReader, SnapshotInfo, TableSize } from "../model/lake.ts";
import type { TableDef } from "../model/table.ts";
import { AppError } from "../model/errors.ts";
import { StreamCutError } from "../duckdb/stream-chunks.ts";
import { NOT_COPIED } from "./hot-copies.ts";
import type { CopyProgress, ExportContext } from "./export-copy.ts";
import { exportResult, type ExportRequest, type ExportResult } from "./export-result.ts";
import { exportSet, type ExportSetRequest, type ExportSetResult, type SetProgress } from "./export-set.ts";
import { KeptCells, type CellPlace } from "./kept-cells.ts";
import { readLiveRows, type LiveRowsAnswer, type LiveRowsRequest } from "./live-rows.ts";
import { DEFAULT_QUERY_LIMITS, type QueryLimits } from "./query-limits.ts";
import { readRecord, type StoredRecord } from "./read-record.ts";
import { runStatement, type StatementResult } from "./run-statement.ts";
import { openSnapshotLeases, type SnapshotLeases } from "./snapshot-leases.ts";
import { SnapshotViews } from "./snapshot-views.ts";
import { cancelled, Turn } from "./turn.ts";

/** A statement and the snapshot it reads; `asOf` null = the newest. `cellChars`: longer texts are cut; without it none is. */
export type SqlRequest = {
  readonly text: string;
  readonly asOf: number | null;
  readonly limit: number;
  readonly cellChars?: number | undefined;
};

/** A statement's result with its snapshot and how long it took. `keptId`: name of its cut cells' whole texts; null = none was cut. */
export type SqlResult = StatementResult & {
  readonly snapshotId: SnapshotId;
  readonly elapsedMs: number;
  readonly keptId: string | null;
};

type Kept<T> = T & Pick<SqlResult, "keptId">;

/**
 * Questions to a lake that another process writes. Every answer is of one snapshot. Opened by {@link openQuerySession}, which
 * needs no lake yet: until there is one, every question throws `snapshot-unknown`. Every question throws `file-replaced` once the catalog is another file:
 * open a new session then. Must be closed.
 */
export class QuerySession {
  private readonly folder: DataFolder;
  private readonly limits: QueryLimits;
  private readonly leases: SnapshotLeases;
  private readonly turn = new Turn();
  private readonly views = new SnapshotViews();
  private readonly exports = new Set<Promise<unknown>>();
  private readonly kept: KeptCells;
  private openedCatalog: LakeCatalog | null = null;
  private identity: string | null = null;
  private openedReader: LakeReader | null = null;
  private openedDuckDb: Promise<DuckDb> | null = null;

  constructor(folder: DataFolder, limits: QueryLimits) {
    this.folder = folder;
    this.limits = limits;
    this.leases = openSnapshotLeases(folder.leases);
    this.kept = new KeptCells(join(folder.tmp, "query"));
  }

  /** Statements and exports running or waiting. */
  get running(): number {
    return this.turn.length + this.exports.size;
  }

  /**
   * Runs one reading statement over the views of one snapshot. Throws `statement-refused`, `statement-failed`,
   * `statement-cancelled`, `snapshot-unknown`.
   */
  async sql(request: SqlRequest, signal: AbortSignal): Promise<SqlResult> {
    const startedMs = performance.now();
    return this.turn.take(signal, () =>
      this.withSnapshot(request.asOf, async (catalog, at, isNewest) => {
        const connection = await (await this.duckdb()).connect();
        try {
          const run = async (columns: "named" | "all"): Promise<Kept<StatementResult>> => {
            await this.views.bindTo(connection, catalog, {
              at,
              isNewest,
              text: request.text,
              columns,
              signal,
            });
            return this.runKeeping(connection, request, signal);
          };
          const result = await run("named").catch((error: unknown) => {
            if (!readsMoreThanNamed(error)) throw error;
            return run("all");
          });
          return { ...result, snapshotId: at, elapsedMs: performance.now() - startedMs };
        } finally {
          connection.closeSync();
        }
      }),
    );
  }

  /** Whole texts of cells that a result shows in part, in the order asked. Throws `result-gone`, `usage`. */
  async cells(keptId: string, cells: readonly CellPlace[]): Promise<readonly string[]> {
    return this.kept.read(keptId, cells);
  }

  private async runKeeping(
    connection: DuckDBConnection,
    { text, limit, cellChars }: SqlRequest,
    signal: AbortSignal,
  ): Promise<Kept<StatementResult>> {
    const keeper = cellChars === undefined ? null : await this.kept.begin(cellChars);
    try {
      const result = await runStatement(connection, text, { rows: limit, keeper }, signal);
      return { ...result, keptId: keeper === null ? null : await this.kept.keep(keeper) };
    } catch (error) {
      await keeper?.discard();
      throw error;
    }
  }

  /** Writes a table or a statement's result of one snapshot to a file. Throws as {@link sql}, and `export-failed`. */
  async export(
    request: ExportRequest,
    signal: AbortSignal,
    onProgress?: CopyProgress,
  ): Promise<ExportResult> {
    return this.exporting(request.asOf, (context) => exportResult(context, request, signal, onProgress));
  }

  /** Writes several tables of one snapshot into a fresh folder. Throws `export-failed`, `table-unknown`, `statement-cancelled`. */
  async exportSet(
    request: ExportSetRequest,
    signal: AbortSignal,
    onProgress?: SetProgress,
  ): Promise<ExportSetResult> {
    return this.exporting(request.asOf, (context) => exportSet(context, request, signal, onProgress));
  }

  private async exporting<T>(asOf: number | null, body: (context: ExportContext) => Promise<T>): Promise<T> {
    const { folder, limits } = this;
    const task = this.withSnapshot(asOf, (catalog, at) => body({ folder, limits, catalog, at }));
    this.exports.add(task);
    try {
      return await task;
    } finally {
      this.exports.delete(task);
    }
  }

  /**
   * Runs `body` with a reader that stays at the newest snapshot of now: states and checkpoints are those of that very snapshot,
   * which is leased meanwhile. A scan ends with `statement-cancelled` once the signal comes.
   */
  async atOneSnapshot<T>(signal: AbortSignal, body: (reader: LakeReader) => Promise<T>): Promise<T> {
    const catalog = this.catalog();
    // One transaction: a state newer than the snapshot would speak of rows that it does not have.
    const { at, states } = catalog.read("reading the states", () => ({
      at: catalog.latest(),
      states: new Map(readSources(catalog).map((source) => [source, readState(catalog, source)])),
    }));
    const reader = this.reader();
    const pinned: LakeReader = {
      ...reader,
      latest: () => at,
      sources: () => [...states.keys()],
      state: (source) => states.get(source) ?? null,
      scan: (table, options = {}) => cancellable(reader.scan(table, { at, ...options }), signal),
    };
    return this.leases.during(at, () => body(pinned));
  }

  /** Newest rows of a source within an offset range, with the checkpoint of the very snapshot they were read at. */
  async liveRows(request: LiveRowsRequest): Promise<LiveRowsAnswer> {
    return readLiveRows(this.catalog(), this.reader(), request);
  }

  /** One record with all that is stored of it, or null where no table has it; and the commit it came with, while that is kept. */
  async record(
    source: SourceName,
    logOffset: number,
  ): Promise<{ snapshotId: SnapshotId; record: StoredRecord | null; commit: SnapshotInfo | null }> {
    const found = await readRecord(this.reader(), source, logOffset);
    return { ...found, commit: readCommitOf(this.catalog(), source, logOffset) };
  }

  /** Tables with their sizes. */
  tables(asOf: number | null): {
    snapshotId: SnapshotId;
    tables: readonly { table: TableDef; size: TableSize }[];
  } {
    const catalog = this.catalog();
    const at = asOf === null ? catalog.latest() : resolveAsOf(catalog, asOf);
    const reader = this.reader();
    return {
      snapshotId: at,
      tables: reader.tables(at).map((table) => ({ table, size: reader.size(table, at) })),
    };
  }

  /** Kept snapshots, newest first. */
  snapshots(limit: number): readonly SnapshotInfo[] {
    return this.reader().snapshots(limit);
  }

  private reader(): LakeReader {
    this.catalog();
    this.openedReader ??= openLakeReader({
      catalogPath: this.folder.catalog,
      lakeData: this.folder.lakeData,
      tempFolder: join(this.folder.tmp, "scan"),
    });
    return this.openedReader;
  }

  /** Closes everything. Cancel what runs before. */
  async close(): Promise<void> {
    await Promise.allSettled(this.exports);
    await this.turn.take(new AbortController().signal, async () => undefined);
    await this.kept.close();
    await this.openedReader?.close();
    this.openedCatalog?.close();
    if (this.openedDuckDb !== null) await (await this.openedDuckDb).close();
    await this.leases.close();
  }

  private async withSnapshot<T>(
    asOf: number | null,
    body: (catalog: LakeCatalog, at: SnapshotId, isNewest: boolean) => Promise<T>,
  ): Promise<T> {
    const catalog = this.catalog();
    const newest = catalog.latest();
    const at = asOf === null ? newest : resolveAsOf(catalog, asOf);
    return this.leases.during(at, () => {
      // Between choosing and leasing it may have expired.
      catalog.resolve(at);
      return body(catalog, at, at === newest);
    });
  }

  private catalog(): LakeCatalog {
    const path = this.folder.catalog;
    if (this.openedCatalog === null) {
      this.openedCatalog = openLakeCatalog({ catalogPath: path, lakeData: this.folder.lakeData });
      this.identity = fileIdentity(path);
    }
    // A catalog that was rebuilt or put back under the same name: the old file would answer for ever.
    assertSameFile(path, this.identity);
    return this.openedCatalog;
  }

  private async duckdb(): Promise<DuckDb> {
    this.openedDuckDb ??= this.openDuckDb();
    return this.openedDuckDb;
  }

  private async openDuckDb(): Promise<DuckDb> {
    const duckdb = await openDuckDb({
      tempFolder: join(this.folder.tmp, "query"),
      tempLimitBytes: this.limits.tempBytes,
      memoryLimitBytes: this.limits.memoryBytes,
      threads: this.limits.threads,
      allowedFolders: [this.folder.lakeData],
      keepsFooters: true,
      placesErrors: true,
    });
    const connection: DuckDBConnection = await duckdb.connect();
    try {
      await this.views.prepare(connection);
    } finally {
      connection.closeSync();
    }
    return duckdb;
  }
}

/** A statement that failed behind its first rows does not always say of what. */
function readsMoreThanNamed(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== "statement-failed") return false;
  return error.message.includes(NOT_COPIED) || error.cause instanceof StreamCutError;
}

function resolveAsOf(catalog: LakeCatalog, asOf: number): SnapshotId {
  if (!Number.isSafeInteger(asOf) || asOf < 0) throw unknownSnapshot(asOf, catalog.latest());
  return catalog.resolve(toSnapshotId(asOf));
}

async function* cancellable<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
  for await (const item of items) {
    if (signal.aborted) throw cancelled();
    yield item;
  }
}

/** Opens a session over a data folder; touches nothing until it is asked. */
export function openQuerySession(options: {
  folder: DataFolder;
  limits?: Partial<QueryLimits>;
}): QuerySession {
  return new QuerySession(options.folder, { ...DEFAULT_QUERY_LIMITS, ...options.limits });
}
