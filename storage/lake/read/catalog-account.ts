import { z } from "zod";
import { toOffset, toSnapshotId, toSourceName, type SnapshotId, type SourceName } from "../../model/brand.ts";
import type { SnapshotInfo, SourceState } from "../../model/lake.ts";
import { LEDGER_HOPS, type Gap, type LedgerEntry } from "../../model/ledger.ts";
import { hashFromText } from "../catalog/hash-text.ts";
import { subtractHash } from "../hash/row-hash.ts";
import type { LakeCatalog } from "./lake-catalog.ts";
import type { ReadTable } from "./read-tables.ts";

const snapshotRow = z.object({
  snapshot_id: z.int(),
  kind: z.enum(["commit", "seal", "schema", "amend", "compaction"]),
  source: z.string().nullable(),
  from_offset: z.int().nullable(),
  to_offset: z.int().nullable(),
  commit_time_us: z.int(),
  sealed: z.int(),
});
const stateRow = z.object({
  source: z.string(),
  checkpoint: z.int(),
  watermark_us: z.int().nullable(),
  max_event_time_us: z.int().nullable(),
  horizon_offset: z.int(),
  source_cursor: z.string().nullable(),
  extra: z.string(),
});
const ledgerRow = z.object({
  source: z.string(),
  stream: z.string(),
  hop: z.enum(LEDGER_HOPS),
  count: z.int(),
  identity_hash: z.string(),
});
const gapRow = z.object({
  source: z.string(),
  topic: z.string(),
  topic_partition: z.int(),
  from_offset: z.int(),
  to_offset: z.int(),
  state: z.enum(["open", "asked", "repaired", "explained", "not-served"]),
  reason: z.string(),
  seen_at: z.int(),
  changed_at: z.int(),
});

/** Kept snapshots, newest first. */
export function readSnapshots(catalog: LakeCatalog, limit: number): readonly SnapshotInfo[] {
  const rows = catalog.read("listing snapshots", () =>
    catalog.database
      .prepare(
        `SELECT c.* FROM hw_commits c JOIN ducklake_snapshot s ON s.snapshot_id = c.snapshot_id
         ORDER BY c.snapshot_id DESC LIMIT ?`,
      )
      .all(limit),
  );
  return z.array(snapshotRow).parse(rows).map(toSnapshotInfo);
}

/** The commit that an offset came with, or null where its snapshot is no longer kept (or none has it yet). */
export function readCommitOf(catalog: LakeCatalog, source: SourceName, offset: number): SnapshotInfo | null {
  const row = catalog.read("looking for a commit", () =>
    catalog.database
      .prepare(
        `SELECT * FROM hw_commits WHERE source = ? AND kind = 'commit' AND from_offset <= ? AND to_offset >= ?
         ORDER BY snapshot_id LIMIT 1`,
      )
      .get(source, offset, offset),
  );
  return row === undefined ? null : toSnapshotInfo(snapshotRow.parse(row));
}

function toSnapshotInfo(row: z.infer<typeof snapshotRow>): SnapshotInfo {
  return {
    snapshotId: toSnapshotId(row.snapshot_id),
    commitTimeUs: row.commit_time_us,
    kind: row.kind,
    sealed: row.sealed === 1,
    source: row.source,
    fromOffset: row.from_offset,
    toOffset: row.to_offset,
  };
}

/** State of a source at the newest snapshot, or null for an unknown one. */
export function readState(catalog: LakeCatalog, source: SourceName): SourceState | null {
  const row = catalog.read("reading a source's state", () =>
    catalog.database.prepare("SELECT * FROM hw_state WHERE source = ?").get(source),
  );
  if (row === undefined) return null;
  const state = stateRow.parse(row);
  return {
    source: toSourceName(state.source),
    checkpoint: toOffset(state.checkpoint),
    watermarkUs: state.watermark_us,
    maxEventTimeUs: state.max_event_time_us,
    horizonOffset: toOffset(state.horizon_offset),
    sourceCursor: state.source_cursor,
    extra: state.extra,
  };
}

/** Sources with a commit, in alphabetical order. */
export function readSources(catalog: LakeCatalog): readonly SourceName[] {
  return catalog.read("listing sources", () =>
    catalog.database
      .prepare<[], string>("SELECT source FROM hw_state ORDER BY source")
      .pluck()
      .all()
      .map(toSourceName),
  );
}

/** The conservation account up to a kept snapshot: the sums over all commits, less what came behind it. */
export function readLedger(catalog: LakeCatalog, at: SnapshotId): readonly LedgerEntry[] {
  const [totals, behind] = catalog.read("reading the ledger", () => [
    z
      .array(ledgerRow)
      .parse(catalog.database.prepare("SELECT * FROM hw_ledger ORDER BY source, stream, hop").all()),
    z
      .array(ledgerRow)
      .parse(catalog.database.prepare("SELECT * FROM hw_ledger_commits WHERE snapshot_id > ?").all(at)),
  ]);
  const later = new Map<string, { count: number; hash: bigint }>();
  const nameOf = (row: z.infer<typeof ledgerRow>): string =>
    JSON.stringify([row.source, row.stream, row.hop]);
  for (const row of behind) {
    const sum = later.get(nameOf(row)) ?? { count: 0, hash: 0n };
    later.set(nameOf(row), {
      count: sum.count + row.count,
      hash: sum.hash + hashFromText(row.identity_hash),
    });
  }
  return totals
    .map((row) => ({
      source: toSourceName(row.source),
      stream: row.stream,
      hop: row.hop,
      count: row.count - (later.get(nameOf(row))?.count ?? 0),
      identityHash: subtractHash(hashFromText(row.identity_hash), later.get(nameOf(row))?.hash ?? 0n),
    }))
    .filter((entry) => entry.count !== 0 || entry.identityHash !== 0n);
}

/** Gaps of a source, in the order they were seen. */
export function readGaps(catalog: LakeCatalog, source: SourceName): readonly Gap[] {
  const rows = catalog.read("reading gaps", () =>
    catalog.database
      .prepare("SELECT * FROM hw_gaps WHERE source = ? ORDER BY seen_at, topic, from_offset")
      .all(source),
  );
  return z
    .array(gapRow)
    .parse(rows)
    .map((row) => ({
      source: toSourceName(row.source),
      topic: row.topic,
      partition: row.topic_partition,
      fromOffset: row.from_offset,
      toOffset: row.to_offset,
      state: row.state,
      reason: row.reason,
      seenAt: toOffset(row.seen_at),
      changedAt: toOffset(row.changed_at),
    }));
}

/** Stored content hash and row count of a table at a kept snapshot. */
export function readFigures(
  catalog: LakeCatalog,
  table: ReadTable,
  at: SnapshotId,
): { hash: bigint; rows: number } {
  const row = catalog.read("reading a content hash", () =>
    catalog.database
      .prepare<[number, number], { content_hash: string; row_count: number }>(
        `SELECT content_hash, row_count FROM hw_table_hash WHERE table_id = ? AND snapshot_id <= ?
         ORDER BY snapshot_id DESC LIMIT 1`,
      )
      .get(table.tableId, at),
  );
  return row === undefined
    ? { hash: 0n, rows: 0 }
    : { hash: hashFromText(row.content_hash), rows: row.row_count };
}
