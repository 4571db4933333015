import type { TableBatch } from "../../model/table.ts";
import { encodeTable } from "./encode-table.ts";
import { finishFile, type ParquetFile } from "./finish-file.ts";

/** What to write where. `batches`: one table, at least one batch (it may be empty). `metadata`: Parquet's key-value metadata. */
export type ParquetWrite = {
  readonly path: string;
  readonly batches: readonly TableBatch[];
  readonly metadata: Readonly<Record<string, string>>;
};

/**
 * Writes one durable Parquet file: `<path>.tmp`, fsync, rename, fsync of the folder. Field ids are the column ids.
 * Errors as {@link encodeTable} and {@link finishFile}.
 */
export async function writeParquetFile(write: ParquetWrite): Promise<ParquetFile> {
  return finishFile(write.path, encodeTable(write.batches), write.metadata);
}
