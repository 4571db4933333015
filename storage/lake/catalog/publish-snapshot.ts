import { toSnapshotId } from "../../model/brand.ts";
import type { CommitResult, SnapshotInfo } from "../../model/lake.ts";
import { CatalogSession } from "./catalog-session.ts";
import type { LakeCounters } from "./counters.ts";
import { hashToText } from "./hash-text.ts";
import { formatTimestamp } from "./timestamps.ts";

/** What a snapshot is, besides its rows. */
export type SnapshotFacts = {
  readonly kind: SnapshotInfo["kind"];
  readonly sealed: boolean;
  /** DuckLake's change list. */
  readonly changes: ReadonlySet<string>;
  /** Bytes of hot rows that ended here. */
  readonly endedBytes: number;
  readonly range: {
    readonly source: string;
    readonly fromOffset: number;
    readonly toOffset: number;
    readonly receivedMinMs: number;
    readonly receivedMaxMs: number;
  } | null;
};

/**
 * Writes the snapshot's own rows, in the caller's transaction and after its rows and files: `counters` must already say
 * what the tables hold at it. Its id is the draft's next one, its time strictly later than the one before, also when the
 * clock stepped back.
 */
export function publishSnapshot(
  session: CatalogSession,
  counters: LakeCounters,
  facts: SnapshotFacts,
): CommitResult {
  const snapshotId = counters.snapshotId + 1;
  const commitTimeUs = Math.max(session.nowUs(), counters.commitTimeUs + 1);
  session
    .statement("INSERT INTO ducklake_snapshot VALUES (?, ?, ?, ?, ?)")
    .run(
      snapshotId,
      formatTimestamp(commitTimeUs),
      counters.schemaVersion,
      counters.nextCatalogId,
      counters.nextFileId,
    );
  session
    .statement("INSERT INTO ducklake_snapshot_changes VALUES (?, ?, NULL, NULL, NULL)")
    .run(snapshotId, [...facts.changes].join(","));
  const range = facts.range;
  session
    .statement("INSERT INTO hw_commits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    .run(
      snapshotId,
      facts.kind,
      range?.source ?? null,
      range?.fromOffset ?? null,
      range?.toOffset ?? null,
      range?.receivedMinMs ?? null,
      range?.receivedMaxMs ?? null,
      commitTimeUs,
      facts.sealed ? 1 : 0,
      Math.round(facts.endedBytes),
    );
  writeTableFigures(session, counters, snapshotId);
  counters.snapshotId = snapshotId;
  counters.commitTimeUs = commitTimeUs;
  return { snapshotId: toSnapshotId(snapshotId), commitTimeUs };
}

function writeTableFigures(session: CatalogSession, counters: LakeCounters, snapshotId: number): void {
  const hash = session.statement("INSERT INTO hw_table_hash VALUES (?, ?, ?, ?, ?)");
  const stats = session.statement(
    "UPDATE ducklake_table_stats SET record_count = ?, next_row_id = ?, file_size_bytes = ? WHERE table_id = ?",
  );
  for (const table of session.tables) {
    const now = CatalogSession.tableCounters(counters, table);
    const before = CatalogSession.tableCounters(session.counters, table);
    const delta = now.contentHash - before.contentHash;
    hash.run(snapshotId, table.tableId, hashToText(now.contentHash), hashToText(delta), now.rowCount);
    const changed =
      now.nextRowId !== before.nextRowId ||
      now.rowCount !== before.rowCount ||
      now.fileBytes !== before.fileBytes;
    if (changed) stats.run(now.rowCount, now.nextRowId, now.fileBytes, table.tableId);
  }
}
