import type { TableBatch } from "../../model/table.ts";
import { encodeTable } from "./encode-table.ts";
import { transferList } from "./encoded-table.ts";
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
  const encoded = encodeTable(write.batches);
  const file = await finishFile(write.path, encoded, write.metadata);
  // Given back at once: a batch's pages are 20 MB, and V8 runs a full collection for about every 64 MB of such memory. Not after
  // a failure, when another thread may still be compressing some of them.
  for (const memory of transferList(encoded)) memory.transfer(0);
  return file;
}
