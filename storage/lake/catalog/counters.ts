import { hashFromText } from "./hash-text.ts";
import { OPEN_STATE, type LakeTable } from "./lake-table.ts";
import type { CatalogDatabase } from "./open-catalog.ts";
import { parseTimestamp } from "./timestamps.ts";

/** Running figures of one table at the newest snapshot. */
export type TableCounters = {
  nextRowId: number;
  rowCount: number;
  fileBytes: number;
  contentHash: bigint;
  /** Live hot rows, and how many of them belong to open windows. */
  hotRows: number;
  openRows: number;
};

/** What the next snapshot starts from. A transaction works on a copy, which replaces this one when it is durable. */
export type LakeCounters = {
  snapshotId: number;
  commitTimeUs: number;
  schemaVersion: number;
  nextCatalogId: number;
  nextFileId: number;
  /** Commit time of the first commit behind the newest seal point; null where there is none. */
  unsealedSinceUs: number | null;
  readonly tables: ReadonlyMap<number, TableCounters>;
};

type SnapshotRow = {
  snapshot_id: number;
  snapshot_time: string;
  schema_version: number;
  next_catalog_id: number;
  next_file_id: number;
};

/** The counters as the catalog has them. */
export function loadCounters(database: CatalogDatabase, tables: readonly LakeTable[]): LakeCounters {
  const head = database
    .prepare<[], SnapshotRow>("SELECT * FROM ducklake_snapshot ORDER BY snapshot_id DESC LIMIT 1")
    .get();
  if (head === undefined) throw new RangeError("the catalog has no snapshot");
  const counters = new Map(
    tables.map((table) => [table.tableId, loadTable(database, table, head.snapshot_id)]),
  );
  return {
    snapshotId: head.snapshot_id,
    commitTimeUs: parseTimestamp(head.snapshot_time),
    schemaVersion: head.schema_version,
    nextCatalogId: head.next_catalog_id,
    nextFileId: head.next_file_id,
    unsealedSinceUs: unsealedSince(database),
    tables: counters,
  };
}

/** A copy to work on. */
export function copyCounters(counters: LakeCounters): LakeCounters {
  const tables = new Map([...counters.tables].map(([tableId, table]) => [tableId, { ...table }]));
  return { ...counters, tables };
}

/** Hot rows that a seal would move for good. */
export function sealableRows(tables: Iterable<TableCounters>): number {
  let rows = 0;
  for (const table of tables) rows += table.hotRows - table.openRows;
  return rows;
}

function loadTable(database: CatalogDatabase, table: LakeTable, snapshotId: number): TableCounters {
  const stats = database
    .prepare<[number], { next_row_id: number; file_size_bytes: number }>(
      "SELECT next_row_id, file_size_bytes FROM ducklake_table_stats WHERE table_id = ?",
    )
    .get(table.tableId);
  const hash = database
    .prepare<[number, number], { content_hash: string; row_count: number }>(
      `SELECT content_hash, row_count FROM hw_table_hash WHERE table_id = ? AND snapshot_id <= ?
       ORDER BY snapshot_id DESC LIMIT 1`,
    )
    .get(table.tableId, snapshotId);
  const count = (filter: string): number =>
    database
      .prepare<[], number>(`SELECT count(*) FROM ${table.hotTable} WHERE end_snapshot IS NULL AND ${filter}`)
      .pluck()
      .get() ?? 0;
  return {
    nextRowId: stats?.next_row_id ?? 0,
    fileBytes: stats?.file_size_bytes ?? 0,
    rowCount: hash?.row_count ?? 0,
    contentHash: hash === undefined ? 0n : hashFromText(hash.content_hash),
    hotRows: count("TRUE"),
    openRows: table.stateIndex < 0 ? 0 : count(`"state" = '${OPEN_STATE}'`),
  };
}

function unsealedSince(database: CatalogDatabase): number | null {
  const time = database
    .prepare<[], number | null>(
      `SELECT min(commit_time_us) FROM hw_commits WHERE kind IN ('commit', 'amend')
       AND snapshot_id > coalesce((SELECT max(snapshot_id) FROM hw_seals), 0)`,
    )
    .pluck()
    .get();
  return time ?? null;
}
