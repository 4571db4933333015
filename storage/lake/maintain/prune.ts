import { failpoint } from "../../failpoint/failpoint.ts";
import type { CatalogSession } from "../catalog/catalog-session.ts";
import { formatTimestamp } from "../catalog/timestamps.ts";

/** Hot rows deleted in one step: about 10 ms with 1 kB of raw text each. */
const MAX_ROWS_PER_STEP = 2_000;

/** What a step removed from the catalog; `more` where another step has something to do. */
export type PruneStep = {
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
  readonly more: boolean;
};

/** The ids between two neighbouring kept snapshots are expired: nobody sees a row that lived only there. */
type Hole = { readonly after: number; readonly upTo: number };

/**
 * One bounded step: deletes hot rows, or releases files, whose whole life lies between kept snapshots. Files go to
 * DuckLake's list of files scheduled for deletion; they are unlinked later by the sweep.
 */
export function pruneStep(session: CatalogSession, nowMs: number): PruneStep {
  const kept = session.database
    .prepare<[], number>("SELECT snapshot_id FROM ducklake_snapshot ORDER BY snapshot_id")
    .pluck()
    .all();
  const step = session.transaction("pruning", () => {
    const rows = deleteHotRows(session, holesBetween(kept));
    if (rows > 0) return { rows, files: 0, bytes: 0, more: true };
    const files = releaseFiles(session, kept, nowMs);
    return { rows, ...files, more: false };
  });
  if (step.rows > 0 || step.files > 0) failpoint("prune-after");
  return step;
}

/** The holes in an ascending list of kept snapshots, the one before the first included. */
export function holesBetween(kept: readonly number[]): readonly Hole[] {
  const holes: Hole[] = [];
  let before = -1;
  for (const id of kept) {
    if (id - before > 1) holes.push({ after: before, upTo: id });
    before = id;
  }
  return holes;
}

/**
 * True where a kept snapshot sees what lives from `begin` to before `end`. `kept` is ascending.
 */
export function isSeen(kept: readonly number[], begin: number, end: number): boolean {
  let [low, high] = [0, kept.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((kept[middle] ?? 0) < begin) low = middle + 1;
    else high = middle;
  }
  const first = kept[low];
  return first !== undefined && first < end;
}

function deleteHotRows(session: CatalogSession, holes: readonly Hole[]): number {
  let left = MAX_ROWS_PER_STEP;
  for (const table of session.tables) {
    const hot = session.hot(table.def);
    for (const hole of holes) {
      if (left <= 0) break;
      left -= hot.deleteEnded(hole.after, hole.upTo, left);
    }
    if (left < MAX_ROWS_PER_STEP) failpoint("prune-mid");
  }
  return MAX_ROWS_PER_STEP - left;
}

type EndedFile = {
  data_file_id: number;
  table_id: number;
  begin_snapshot: number;
  end_snapshot: number;
  path: string;
  file_size_bytes: number;
};

function releaseFiles(
  session: CatalogSession,
  kept: readonly number[],
  nowMs: number,
): { files: number; bytes: number } {
  const { database } = session;
  const ended = database
    .prepare<[], EndedFile>(
      `SELECT data_file_id, table_id, begin_snapshot, end_snapshot, path, file_size_bytes
       FROM ducklake_data_file WHERE end_snapshot IS NOT NULL`,
    )
    .all();
  let [files, bytes] = [0, 0];
  for (const file of ended) {
    if (isSeen(kept, file.begin_snapshot, file.end_snapshot)) continue;
    const folder = session.tables.find((table) => table.tableId === file.table_id)?.folder;
    // A table of a newer build: its files are not ours to release.
    if (folder === undefined) continue;
    const path = `${folder}${file.path}`;
    database
      .prepare("INSERT INTO ducklake_files_scheduled_for_deletion VALUES (?, ?, 1, ?)")
      .run(file.data_file_id, path, formatTimestamp(Math.round(nowMs * 1_000)));
    database
      .prepare("INSERT INTO hw_released_files VALUES (?, ?, ?, ?, ?)")
      .run(file.data_file_id, path, file.begin_snapshot, file.end_snapshot, Math.round(nowMs));
    database.prepare("DELETE FROM ducklake_data_file WHERE data_file_id = ?").run(file.data_file_id);
    database.prepare("DELETE FROM ducklake_file_column_stats WHERE data_file_id = ?").run(file.data_file_id);
    files += 1;
    bytes += file.file_size_bytes;
  }
  return { files, bytes };
}
