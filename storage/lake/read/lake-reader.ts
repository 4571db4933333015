import { openDuckDb, type DuckDb } from "../../duckdb/open-duckdb.ts";
import type { LakeReader } from "../../model/lake.ts";
import type { CatalogDatabase } from "../catalog/open-catalog.ts";
import {
  readFigures,
  readGaps,
  readLedger,
  readSnapshots,
  readSources,
  readState,
} from "./catalog-account.ts";
import { countOpenRows } from "./open-rows.ts";
import { countHotRows } from "./hot-rows.ts";
import { openLakeCatalog, type LakeCatalog } from "./lake-catalog.ts";
import { scanTable } from "./scan.ts";

/** Scans stream, so a small DuckDB is enough; it is opened at the first sealed file. */
const SCAN_MEMORY_BYTES = 256 * 1_048_576;
const SCAN_TEMP_BYTES = 1024 * 1_048_576;

/** How to open a reader. Paths absolute. */
export type LakeReaderOptions = {
  readonly catalogPath: string;
  readonly lakeData: string;
  /** DuckDB makes a folder of its own in here. */
  readonly tempFolder: string;
  /** The writer's own connection; it stays open at close. Without it the catalog is opened for reading only. */
  readonly database?: CatalogDatabase;
};

/**
 * Opens the lake for reading while another process writes it. Hot rows come from the catalog in short read transactions,
 * sealed rows from Parquet through DuckDB. Throws `snapshot-unknown` where no lake was made yet, `catalog-held`, `store-unreadable`.
 */
export function openLakeReader(options: LakeReaderOptions): LakeReader {
  const catalog = openLakeCatalog(options);
  let opening: Promise<DuckDb> | null = null;
  const duckdb = (): Promise<DuckDb> => {
    opening ??= openDuckDb({
      tempFolder: options.tempFolder,
      tempLimitBytes: SCAN_TEMP_BYTES,
      memoryLimitBytes: SCAN_MEMORY_BYTES,
      threads: 1,
      allowedFolders: [options.lakeData],
    });
    return opening;
  };
  return {
    ...accountOf(catalog),
    scan: (table, scan = {}) => scanTable({ catalog, duckdb }, table, catalog.resolve(scan.at), scan),
    close: async () => {
      catalog.close();
      if (opening !== null) await (await opening).close();
    },
  };
}

function accountOf(catalog: LakeCatalog): Omit<LakeReader, "scan" | "close"> {
  return {
    latest: () => catalog.latest(),
    snapshots: (limit) => readSnapshots(catalog, limit),
    tables: (at) => catalog.tables(catalog.resolve(at)).map((table) => table.def),
    size: (table, at) => {
      const snapshot = catalog.resolve(at);
      const found = catalog.table(table, snapshot);
      const files = catalog.files(found, snapshot);
      return {
        rows: readFigures(catalog, found, snapshot).rows,
        hotRows: countHotRows(catalog, found, snapshot),
        openRows: countOpenRows(catalog, found, snapshot),
        files: files.length,
        fileBytes: files.reduce((sum, file) => sum + file.bytes, 0),
      };
    },
    state: (source) => readState(catalog, source),
    sources: () => readSources(catalog),
    ledger: (at) => readLedger(catalog, catalog.resolve(at)),
    gaps: (source) => readGaps(catalog, source),
    contentHash: (table, at) => {
      const snapshot = catalog.resolve(at);
      return readFigures(catalog, catalog.table(table, snapshot), snapshot).hash;
    },
  };
}
