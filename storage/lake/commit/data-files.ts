import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { CatalogSession } from "../catalog/catalog-session.ts";
import { batchOfRows } from "../catalog/cells.ts";
import { dataFileName } from "../catalog/file-snapshots.ts";
import type { LakeCounters } from "../catalog/counters.ts";
import type { LakeTable } from "../catalog/lake-table.ts";
import { addHash, batchHash } from "../hash/row-hash.ts";
import type { ParquetFile } from "../parquet/finish-file.ts";
import { writeParquetFile } from "../parquet/write-parquet.ts";
import type { TableBatch } from "../../model/table.ts";

/** A durable Parquet file that the catalog does not name yet. */
export type DataFile = ParquetFile & {
  readonly table: LakeTable;
  /** Name within the table's folder. */
  readonly name: string;
  readonly path: string;
  /** Content hash of its rows. */
  readonly contentHash: bigint;
};

/** What a file says about itself, so that the catalog can be rebuilt from files and log (architecture.md "Storage details"). */
export type FileFacts = {
  readonly kind: "commit" | "seal" | "open-windows" | "amend";
  /** Every row's offset lies in its source's range. */
  readonly offsets: Readonly<Record<string, readonly [number, number]>>;
  /** The lowest snapshot that can name the file. */
  readonly snapshotId: number;
  /** Names of the files whose rows it takes over. */
  readonly replaces: readonly string[];
};

/** Writes the batches as one durable file in the table's folder. Throws `disk-full`; then nothing is left behind. */
export async function writeDataFile(
  lakeData: string,
  table: LakeTable,
  batches: readonly TableBatch[],
  facts: FileFacts,
): Promise<DataFile> {
  // Random, because a replay after a kill writes the same rows beside the orphan of the first try.
  const name = dataFileName(facts.kind, facts.snapshotId, randomBytes(8).toString("hex"));
  const path = join(lakeData, table.folder, name);
  const writing = writeParquetFile({
    path,
    batches: batches.length > 0 ? batches : [batchOfRows(table.def, [])],
    metadata: {
      "highwater.table": `${table.def.schema}.${table.def.name}`,
      "highwater.schema_version": String(table.schemaVersion),
      "highwater.kind": facts.kind,
      "highwater.snapshot": String(facts.snapshotId),
      "highwater.offsets": JSON.stringify(facts.offsets),
      "highwater.replaces": JSON.stringify(facts.replaces),
    },
  });
  // While other threads compress the pages.
  const [file, contentHash] = await Promise.all([writing, hashOf(batches)]);
  return { ...file, table, name, path, contentHash };
}

async function hashOf(batches: readonly TableBatch[]): Promise<bigint> {
  return batches.reduce((hash, batch) => addHash(hash, batchHash(batch)), 0n);
}

/** Removes files that no catalog row will name. Best effort: what stays is an orphan, and the sweep takes it. */
export async function discardDataFiles(files: readonly DataFile[]): Promise<void> {
  await Promise.all(files.map((file) => rm(file.path, { force: true }).catch(() => undefined)));
}

/**
 * Names a file in the catalog from `beginSnapshot` on, in the caller's transaction, under fresh row ids; returns the
 * first of them. With an `endSnapshot` it is of that one snapshot's life only and does not count as the table's size.
 */
export function addDataFile(
  session: CatalogSession,
  counters: LakeCounters,
  file: DataFile,
  life: { beginSnapshot: number; endSnapshot: number | null },
): number {
  const table = CatalogSession.tableCounters(counters, file.table);
  const { database } = session;
  const { tableId } = file.table;
  const fileId = counters.nextFileId;
  const rowIdStart = table.nextRowId;
  counters.nextFileId += 1;
  table.nextRowId += file.rowCount;
  if (life.endSnapshot === null) table.fileBytes += file.fileSizeBytes;
  database
    .prepare(
      "INSERT INTO ducklake_data_file VALUES (?, ?, ?, ?, NULL, ?, 1, 'parquet', ?, ?, ?, ?, NULL, NULL, NULL, NULL)",
    )
    .run(
      fileId,
      tableId,
      life.beginSnapshot,
      life.endSnapshot,
      file.name,
      file.rowCount,
      file.fileSizeBytes,
      file.footerSizeBytes,
      rowIdStart,
    );
  const stats = database.prepare(
    "INSERT INTO ducklake_file_column_stats VALUES (?, ?, ?, NULL, ?, ?, ?, ?, NULL, NULL)",
  );
  for (const column of file.stats) {
    stats.run(fileId, tableId, column.columnId, column.valueCount, column.nullCount, column.min, column.max);
  }
  return rowIdStart;
}
