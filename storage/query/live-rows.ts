import { readState } from "../lake/read/catalog-account.ts";
import type { LakeCatalog } from "../lake/read/lake-catalog.ts";
import { toOffset, type SnapshotId, type SourceName } from "../model/brand.ts";
import type { LakeReader, ScanOptions } from "../model/lake.ts";
import type { CellValue, TableBatch, TableDef } from "../model/table.ts";

/** Rows that a list shows are few: more than fits a screen many times over. */
export const MAX_LIVE_ROWS = 10_000;

/** Newest `limit` rows of `table` with `fromOffset` ≤ log_offset ≤ `toOffset`, these columns of them. */
export type LiveRowsRequest = {
  readonly table: TableDef;
  readonly columns: readonly string[];
  readonly source: SourceName;
  readonly fromOffset: number;
  readonly toOffset: number;
  readonly limit: number;
};

/** Rows in offset order, cells in the order of the request's columns. */
export type LiveRowsAnswer = {
  readonly snapshotId: SnapshotId;
  readonly checkpoint: number;
  readonly rows: readonly (readonly CellValue[])[];
};

/**
 * Reads a window over offsets from its newest end, widening until there are enough rows, so that a huge range costs no more
 * than a small one. Throws `snapshot-unknown`, `table-unknown`.
 */
export async function readLiveRows(
  catalog: LakeCatalog,
  reader: LakeReader,
  request: LiveRowsRequest,
): Promise<LiveRowsAnswer> {
  const { source } = request;
  // One transaction: a checkpoint newer than the snapshot would promise rows that it does not have.
  const { at, checkpoint } = catalog.read("reading the checkpoint", () => ({
    at: catalog.latest(),
    checkpoint: readState(catalog, source)?.checkpoint ?? 0,
  }));
  const limit = Math.max(0, Math.min(request.limit, MAX_LIVE_ROWS));
  const to = Math.min(request.toOffset, checkpoint);
  let width = limit * 2;
  for (;;) {
    const from = Math.max(request.fromOffset, to - width + 1, 0);
    const rows = limit === 0 || to < from ? [] : await readRange(reader, request, { at, from, to });
    if (rows.length >= limit || from <= request.fromOffset || from === 0) {
      return {
        snapshotId: at,
        checkpoint,
        rows: rows.slice(-limit || rows.length).map(({ cells }) => cells),
      };
    }
    width *= 4;
  }
}

type OffsetRow = { readonly offset: number; readonly cells: readonly CellValue[] };

async function readRange(
  reader: LakeReader,
  request: LiveRowsRequest,
  range: { at: SnapshotId; from: number; to: number },
): Promise<readonly OffsetRow[]> {
  const options: ScanOptions = {
    at: range.at,
    columns: ["log_offset", ...request.columns],
    source: request.source,
    fromOffset: toOffset(range.from),
    toOffset: toOffset(range.to),
  };
  const rows: OffsetRow[] = [];
  for await (const batch of reader.scan(request.table, options)) {
    for (let row = 0; row < batch.rowCount; row += 1) rows.push(rowAt(batch, row));
  }
  return rows.toSorted((left, right) => left.offset - right.offset);
}

function rowAt(batch: TableBatch, row: number): OffsetRow {
  const [offset, ...cells] = batch.columns.map((column) => column[row] ?? null);
  return { offset: Number(offset), cells };
}
