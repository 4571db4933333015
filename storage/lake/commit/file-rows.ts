import type { DuckDBConnection } from "@duckdb/node-api";
import { openDuckDb, sqlName, sqlText, type DuckDb } from "../../duckdb/open-duckdb.ts";
import { streamCells } from "../../duckdb/read-cells.ts";
import { AppError } from "../../model/errors.ts";
import type { TableBatch, TableDef } from "../../model/table.ts";
import { addHash, batchHash } from "../hash/row-hash.ts";
import type { DataFile } from "./data-files.ts";

/** Reads rows of single Parquet files, named by the catalog or not. */
export type FileRows = {
  readonly read: (path: string, table: TableDef) => AsyncIterable<TableBatch>;
  /** Frees the DuckDB behind it; it comes back with the next read. */
  readonly close: () => Promise<void>;
};

const MEMORY_LIMIT_BYTES = 256 * 1_048_576;
const SPILL_LIMIT_BYTES = 1_024 * 1_048_576;

/** A reader through DuckDB, which is opened at the first read: an independent eye on what our own encoder wrote. */
export function createFileRows(lakeData: string, tempFolder: string): FileRows {
  let open: { duckDb: DuckDb; connection: DuckDBConnection } | null = null;

  const connect = async (): Promise<DuckDBConnection> => {
    if (open !== null) return open.connection;
    const duckDb = await openDuckDb({
      tempFolder,
      tempLimitBytes: SPILL_LIMIT_BYTES,
      memoryLimitBytes: MEMORY_LIMIT_BYTES,
      threads: 1,
      allowedFolders: [lakeData],
    });
    open = { duckDb, connection: await duckDb.connect() };
    return open.connection;
  };
  return {
    async *read(path, table) {
      const connection = await connect();
      const columns = table.columns.map((column) => sqlName(column.name)).join(", ");
      const sql = `SELECT ${columns} FROM read_parquet(${sqlText(path)})`;
      for await (const chunk of streamCells(connection, sql, table.columns)) {
        yield { table, rowCount: chunk.rowCount, columns: chunk.columns };
      }
    },
    close: async () => {
      const closing = open;
      open = null;
      closing?.connection.closeSync();
      await closing?.duckDb.close();
    },
  };
}

/**
 * Reads a written file back and compares it with the rows it was written from. Throws `seal-mismatch` on any difference:
 * the file must then not be named (reference: rows doubled by maintenance in the field).
 */
export async function verifyDataFile(fileRows: FileRows, file: DataFile): Promise<void> {
  let hash = 0n;
  let rowCount = 0;
  for await (const batch of fileRows.read(file.path, file.table.def)) {
    hash = addHash(hash, batchHash(batch));
    rowCount += batch.rowCount;
  }
  if (hash === file.contentHash && rowCount === file.rowCount) return;
  throw new AppError(
    "seal-mismatch",
    `${file.name} does not read back as it was written; nothing was changed`,
    {
      details: { path: file.path, rowsWritten: file.rowCount, rowsRead: rowCount },
    },
  );
}
