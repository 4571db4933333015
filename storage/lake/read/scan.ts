import type { SnapshotId } from "../../model/brand.ts";
import { AppError } from "../../model/errors.ts";
import type { ScanOptions } from "../../model/lake.ts";
import { qualifiedName, type ColumnDef, type TableBatch, type TableDef } from "../../model/table.ts";
import { formatTimestamp } from "../catalog/timestamps.ts";
import type { DuckDb } from "../../duckdb/open-duckdb.ts";
import { streamCells } from "../../duckdb/read-cells.ts";
import { listHotRows, readHotRows, type HotFilter } from "./hot-rows.ts";
import { unknownSnapshot, type LakeCatalog, type SealedFile } from "./lake-catalog.ts";
import { isFileGone, sealedRowsQuery } from "./sealed-files.ts";

/** Rows fetched from the catalog in one read transaction: a few milliseconds, a few megabytes. */
const HOT_PAGE_ROWS = 500;

/** What a scan reads with. `duckdb` is asked for only when there are sealed files. */
export type ScanContext = { readonly catalog: LakeCatalog; readonly duckdb: () => Promise<DuckDb> };

/**
 * Rows of a table at one snapshot: file by file, then the hot rows. Throws `snapshot-unknown` when the snapshot expires
 * meanwhile (hold a lease to rule that out), `store-unreadable` when a file that the catalog names is missing.
 */
export async function* scanTable(
  context: ScanContext,
  table: TableDef,
  at: SnapshotId,
  options: ScanOptions,
): AsyncIterable<TableBatch> {
  const { catalog } = context;
  const readTable = catalog.table(table, at);
  const columns = pickColumns(readTable.def, options.columns);
  const batchTable = { ...readTable.def, columns };
  const files = catalog.files(readTable, at, options);
  const places = listHotRows(catalog, readTable, at, hotFilter(options));

  if (files.length > 0) {
    const connection = await (await context.duckdb()).connect();
    try {
      for (const file of files) {
        const sql = sealedRowsQuery(readTable.def, columns, [file], options);
        try {
          for await (const chunk of streamCells(connection, sql, columns)) {
            yield { table: batchTable, ...chunk };
          }
        } catch (error) {
          throw explainFileError(catalog, at, file, error);
        }
      }
    } finally {
      connection.closeSync();
    }
  }
  for (let from = 0; from < places.length; from += HOT_PAGE_ROWS) {
    const page = places.slice(from, from + HOT_PAGE_ROWS);
    const cells = readHotRows(catalog, page, columns);
    if (cells === null) throw unknownSnapshot(at, catalog.latest());
    yield { table: batchTable, rowCount: page.length, columns: cells };
  }
}

function pickColumns(table: TableDef, names: readonly string[] | undefined): readonly ColumnDef[] {
  if (names === undefined) return table.columns;
  return names.map((name) => {
    const column = table.columns.find((each) => each.name === name);
    if (column !== undefined) return column;
    throw new RangeError(`${qualifiedName(table)} has no column ${name}`);
  });
}

function hotFilter(options: ScanOptions): HotFilter {
  return {
    ...(options.source === undefined ? {} : { source: options.source }),
    ...(options.fromOffset === undefined ? {} : { fromOffset: options.fromOffset }),
    ...(options.toOffset === undefined ? {} : { toOffset: options.toOffset }),
    ...(options.eventTimeFromUs === undefined
      ? {}
      : { eventTimeFrom: formatTimestamp(options.eventTimeFromUs) }),
    ...(options.eventTimeToUs === undefined ? {} : { eventTimeTo: formatTimestamp(options.eventTimeToUs) }),
  };
}

function explainFileError(catalog: LakeCatalog, at: SnapshotId, file: SealedFile, error: unknown): unknown {
  const isGone = isFileGone(file);
  if (isGone && !catalog.isKept(at)) return unknownSnapshot(at, catalog.latest());
  const reason = error instanceof Error ? error.message : String(error);
  const message = isGone ? "a file of the lake is missing" : `a file of the lake cannot be read (${reason})`;
  return new AppError("store-unreadable", `${message}: ${file.path}`, {
    cause: error,
    details: { path: file.path, snapshotId: at },
  });
}
