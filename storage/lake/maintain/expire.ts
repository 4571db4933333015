import { failpoint } from "../../failpoint/failpoint.ts";
import type { CatalogSession } from "../catalog/catalog-session.ts";
import { hashFromText, hashToText } from "../catalog/hash-text.ts";
import type { CatalogDatabase } from "../catalog/open-catalog.ts";
import { addHash } from "../hash/row-hash.ts";
import { keptSnapshots, type LadderSnapshot } from "./retention.ts";

/** Expired in one step; about 5 ms. */
export const MAX_EXPIRED_PER_STEP = 300;

/** Snapshots `from`…`to` expire; what has to be remembered of them goes to `heir`, the next kept one. */
type ExpiredRun = { readonly from: number; to: number; readonly heir: number };

type SnapshotRow = {
  snapshot_id: number;
  commit_time_us: number;
  sealed: number;
  ended_bytes: number;
  records: number;
};

/**
 * Expires the oldest snapshots that the ladder does not keep, a bounded number of them; returns how many. `leased`: ids that
 * readers hold. Offset ranges and ledger entries are folded into the next kept snapshot, so those sums stay whole for ever.
 */
export function expireSnapshots(session: CatalogSession, nowMs: number, leased: Iterable<number>): number {
  const { database, options } = session;
  const snapshots = database
    .prepare<[], SnapshotRow>(
      `SELECT snapshot_id, commit_time_us, sealed, ended_bytes, coalesce(to_offset - from_offset + 1, 0) AS records
       FROM hw_commits ORDER BY snapshot_id`,
    )
    .all()
    .map((row): LadderSnapshot => ({
      snapshotId: row.snapshot_id,
      timeMs: row.commit_time_us / 1_000,
      sealed: row.sealed === 1,
      endedBytes: row.ended_bytes,
      records: row.records,
    }));
  const pins = database.prepare<[], number>("SELECT snapshot_id FROM hw_pins").pluck().all();
  const kept = keptSnapshots(snapshots, nowMs, options.settings, new Set([...pins, ...leased]));
  const runs = expiredRuns(
    snapshots.map((snapshot) => snapshot.snapshotId),
    kept,
  );
  if (runs.length === 0) return 0;
  const expired = session.transaction("expiring snapshots", () => {
    let count = 0;
    for (const run of runs) count += expireRun(database, run);
    failpoint("expire-mid");
    return count;
  });
  failpoint("expire-after");
  return expired;
}

/** Runs of neighbours that expire, oldest first, at most {@link MAX_EXPIRED_PER_STEP} snapshots. */
export function expiredRuns(ids: readonly number[], kept: ReadonlySet<number>): readonly ExpiredRun[] {
  const runs: ExpiredRun[] = [];
  let pending: number[] = [];
  let left = MAX_EXPIRED_PER_STEP;
  for (const id of ids) {
    if (!kept.has(id)) {
      if (left > 0) pending.push(id);
      left -= 1;
      continue;
    }
    const [from, to] = [pending[0], pending.at(-1)];
    if (from !== undefined && to !== undefined) runs.push({ from, to, heir: id });
    pending = [];
    if (left <= 0) break;
  }
  return runs;
}

function expireRun(database: CatalogDatabase, { from, to, heir }: ExpiredRun): number {
  foldLedger(database, from, to, heir);
  foldCommits(database, from, to, heir);
  for (const table of [
    "hw_table_hash",
    "hw_seals",
    "hw_seal_offsets",
    "hw_commits",
    "ducklake_snapshot_changes",
  ]) {
    database.prepare(`DELETE FROM ${table} WHERE snapshot_id BETWEEN ? AND ?`).run(from, to);
  }
  return database.prepare("DELETE FROM ducklake_snapshot WHERE snapshot_id BETWEEN ? AND ?").run(from, to)
    .changes;
}

type LedgerRow = { source: string; stream: string; hop: string; count: number; identity_hash: string };

function foldLedger(database: CatalogDatabase, from: number, to: number, heir: number): void {
  const sums = new Map<string, { row: LedgerRow; count: number; hash: bigint }>();
  const rows = database
    .prepare<[number, number, number], LedgerRow>(
      `SELECT source, stream, hop, count, identity_hash FROM hw_ledger_commits
       WHERE snapshot_id BETWEEN ? AND ? OR snapshot_id = ?`,
    )
    .all(from, to, heir);
  for (const row of rows) {
    const key = JSON.stringify([row.source, row.stream, row.hop]);
    const sum = sums.get(key) ?? { row, count: 0, hash: 0n };
    sum.count += row.count;
    sum.hash = addHash(sum.hash, hashFromText(row.identity_hash));
    sums.set(key, sum);
  }
  database
    .prepare("DELETE FROM hw_ledger_commits WHERE snapshot_id BETWEEN ? AND ? OR snapshot_id = ?")
    .run(from, to, heir);
  const insert = database.prepare("INSERT INTO hw_ledger_commits VALUES (?, ?, ?, ?, ?, ?)");
  for (const { row, count, hash } of sums.values()) {
    insert.run(heir, row.source, row.stream, row.hop, count, hashToText(hash));
  }
}

function foldCommits(database: CatalogDatabase, from: number, to: number, heir: number): void {
  database
    .prepare(
      `INSERT OR REPLACE INTO hw_expired_commits
       SELECT source, @heir, min(from_offset), max(to_offset), min(received_min_ms), max(received_max_ms), max(at), sum(n)
       FROM (
         SELECT source, from_offset, to_offset, received_min_ms, received_max_ms, commit_time_us AS at, 1 AS n
         FROM hw_commits WHERE snapshot_id BETWEEN @from AND @to AND source IS NOT NULL
         UNION ALL
         SELECT source, from_offset, to_offset, received_min_ms, received_max_ms, last_commit_time_us, commits
         FROM hw_expired_commits WHERE snapshot_id BETWEEN @from AND @to OR snapshot_id = @heir
       ) GROUP BY source`,
    )
    .run({ from, to, heir });
  database.prepare("DELETE FROM hw_expired_commits WHERE snapshot_id BETWEEN ? AND ?").run(from, to);
}
