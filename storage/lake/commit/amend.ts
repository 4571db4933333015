import { failpoint } from "../../failpoint/failpoint.ts";
import type { CommitInput } from "../../model/lake.ts";
import type { CellValue, TableBatch } from "../../model/table.ts";
import { batchOfRows, batchRow } from "../catalog/cells.ts";
import type { CatalogSession } from "../catalog/catalog-session.ts";
import type { LakeTable } from "../catalog/lake-table.ts";
import { toLakeError } from "../catalog/sqlite-errors.ts";
import { parseTimestamp } from "../catalog/timestamps.ts";
import { addHash, batchHash } from "../hash/row-hash.ts";
import type { ChangeSet } from "./change-set.ts";
import { discardDataFiles, writeDataFile, type DataFile } from "./data-files.ts";
import { verifyDataFile, type FileRows } from "./file-rows.ts";

/** A sealed file that gives way to one without the replaced rows (null: nothing was left of it). */
type FileRewrite = {
  readonly table: LakeTable;
  readonly old: SealedFile & { readonly contentHash: bigint };
  readonly replacement: DataFile | null;
};

/** Everything an amend needs that takes reading and writing files. */
export type PreparedAmend = {
  readonly rewrites: readonly FileRewrite[];
  readonly batches: readonly TableBatch[];
};

/** A commit without amends. */
export const NO_AMEND: PreparedAmend = { rewrites: [], batches: [] };

type SealedFile = {
  readonly fileId: number;
  readonly name: string;
  readonly rowCount: number;
  readonly fileSizeBytes: number;
};

/**
 * Finds the sealed files that hold rows to be replaced and writes their successors. The catalog must not change until
 * {@link applyAmend}. Throws `disk-full`, `seal-mismatch`; then no file is left behind.
 */
export async function prepareAmend(
  session: CatalogSession,
  fileRows: FileRows,
  input: CommitInput,
): Promise<PreparedAmend> {
  if (input.amends.length === 0) return NO_AMEND;
  failpoint("amend-before");
  const rewrites: FileRewrite[] = [];
  try {
    for (const batch of input.amends) {
      const hot = session.hot(batch.table);
      const keys = new Set<string>();
      const windows: number[] = [];
      for (let index = 0; index < batch.rowCount; index += 1) {
        const cells = batchRow(batch, index);
        if (hot.find(cells) !== null) continue;
        keys.add(keyText(hot.table, cells));
        const start = cells[windowColumn(hot.table)];
        if (typeof start === "number") windows.push(start);
      }
      for (const file of filesWithWindows(session, hot.table, windows)) {
        const rewrite = await rewriteFile(session, fileRows, input, hot.table, file, keys);
        if (rewrite !== null) rewrites.push(rewrite);
      }
    }
    return { rewrites, batches: input.amends };
  } catch (error) {
    await discardAmend({ rewrites, batches: [] });
    throw toLakeError(error, "amending settled windows");
  } finally {
    await fileRows.close();
  }
}

/** Removes the files of an amend that was not committed. */
export async function discardAmend(amend: PreparedAmend): Promise<void> {
  await discardDataFiles(amend.rewrites.flatMap((rewrite) => rewrite.replacement ?? []));
}

/** Replaces files and rows, in the caller's transaction. Readers of older snapshots go on seeing the old ones. */
export function applyAmend(change: ChangeSet, amend: PreparedAmend): void {
  if (amend.batches.length === 0) return;
  for (const { table, old, replacement } of amend.rewrites) {
    change.endFile(table, old);
    if (replacement !== null) change.appendFile(replacement);
  }
  for (const batch of amend.batches) change.upsert(batch);
  failpoint("amend-in-transaction");
}

async function rewriteFile(
  session: CatalogSession,
  fileRows: FileRows,
  input: CommitInput,
  table: LakeTable,
  old: SealedFile,
  keys: ReadonlySet<string>,
): Promise<FileRewrite | null> {
  const { lakeData } = session.options;
  const kept: (readonly CellValue[])[] = [];
  let contentHash = 0n;
  let rowCount = 0;
  for await (const batch of fileRows.read(`${lakeData}/${table.folder}${old.name}`, table.def)) {
    contentHash = addHash(contentHash, batchHash(batch));
    rowCount += batch.rowCount;
    for (let index = 0; index < batch.rowCount; index += 1) {
      const cells = batchRow(batch, index);
      if (!keys.has(keyText(table, cells))) kept.push(cells);
    }
  }
  if (kept.length === rowCount) return null;
  if (kept.length === 0) return { table, old: { ...old, contentHash }, replacement: null };
  const replacement = await writeDataFile(lakeData, table, [batchOfRows(table.def, kept)], {
    kind: "amend",
    offsets: { [input.source]: [0, input.toOffset] },
    snapshotId: session.counters.snapshotId + 1,
    replaces: [old.name],
  });
  await verifyDataFile(fileRows, replacement);
  return { table, old: { ...old, contentHash }, replacement };
}

type CandidateRow = {
  data_file_id: number;
  path: string;
  record_count: number;
  file_size_bytes: number;
  min_value: string | null;
  max_value: string | null;
};

/** Live files of the table whose window starts may be among those asked for. */
function filesWithWindows(
  session: CatalogSession,
  table: LakeTable,
  windows: readonly number[],
): readonly SealedFile[] {
  if (windows.length === 0) return [];
  const columnId = table.def.columns[windowColumn(table)]?.id ?? -1;
  const rows = session.database
    .prepare<[number, number], CandidateRow>(
      `SELECT f.data_file_id, f.path, f.record_count, f.file_size_bytes, s.min_value, s.max_value
       FROM ducklake_data_file f
       LEFT JOIN ducklake_file_column_stats s ON s.data_file_id = f.data_file_id AND s.column_id = ?
       WHERE f.table_id = ? AND f.end_snapshot IS NULL ORDER BY f.data_file_id`,
    )
    .all(columnId, table.tableId);
  return rows
    .filter(({ min_value: min, max_value: max }) => {
      if (min === null || max === null) return true;
      const [from, to] = [parseTimestamp(min), parseTimestamp(max)];
      return windows.some((start) => start >= from && start <= to);
    })
    .map((row) => ({
      fileId: row.data_file_id,
      name: row.path,
      rowCount: row.record_count,
      fileSizeBytes: row.file_size_bytes,
    }));
}

function windowColumn(table: LakeTable): number {
  return table.def.columns.findIndex((column) => column.name === "window_start");
}

const utf8 = new TextDecoder();

function keyText(table: LakeTable, cells: readonly CellValue[]): string {
  const key = table.keyIndexes.map((index) => {
    const cell = cells[index] ?? null;
    return cell instanceof Uint8Array ? utf8.decode(cell) : cell;
  });
  return JSON.stringify(key);
}
