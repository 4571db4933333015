import { realpathSync } from "node:fs";
import { readdir, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { failpoint } from "../../failpoint/failpoint.ts";
import { fsyncFolder, systemErrorCode } from "../../files/write-file-atomic.ts";
import type { MaintenanceResult } from "../../model/lake.ts";
import type { CatalogSession } from "../catalog/catalog-session.ts";
import { isOfNewerCatalog } from "../catalog/file-snapshots.ts";
import { checkpointWal } from "./wal.ts";
import { recordMaintenance } from "./maintenance-log.ts";

/** Files unlinked in one step. */
const MAX_FILES_PER_STEP = 20;

/** What a sweep unlinked. */
export type SweepStep = { readonly files: number; readonly bytes: number };

const NOTHING: SweepStep = { files: 0, bytes: 0 };

type ReleasedFile = {
  data_file_id: number;
  path: string;
  begin_snapshot: number;
  end_snapshot: number;
};

/**
 * Unlinks files that were released at least `unlinkDelayMs` ago and that no lease sees, a bounded number of them, and only
 * when the WAL checkpoint carried the release into the database file: or a power cut could bring back a catalog that names a
 * file which is gone. A file that is missing already is reported once; one that can not be unlinked is tried again.
 */
export async function sweepReleased(
  session: CatalogSession,
  nowMs: number,
  leased: readonly number[],
): Promise<SweepStep> {
  const { database, options } = session;
  const due = database
    .prepare<[number], ReleasedFile>(
      `SELECT data_file_id, path, begin_snapshot, end_snapshot FROM hw_released_files
       WHERE released_ms <= ? ORDER BY data_file_id`,
    )
    .all(nowMs - options.settings.unlinkDelayMs)
    .filter((file) => !leased.some((id) => id >= file.begin_snapshot && id < file.end_snapshot))
    .slice(0, MAX_FILES_PER_STEP);
  if (due.length === 0 || !checkpointWal(database)) return NOTHING;
  const gone: { id: number; missing: boolean; path: string }[] = [];
  let bytes = 0;
  for (const file of due) {
    const outcome = await unlinkFile(join(options.lakeData, file.path));
    if (outcome === null) continue;
    gone.push({ id: file.data_file_id, missing: outcome.missing, path: file.path });
    bytes += outcome.bytes;
    failpoint("sweep-mid-unlink");
  }
  if (gone.length === 0) return NOTHING;
  session.transaction("sweeping", () => {
    for (const { id, missing, path } of gone) {
      database.prepare("DELETE FROM ducklake_files_scheduled_for_deletion WHERE data_file_id = ?").run(id);
      database.prepare("DELETE FROM hw_released_files WHERE data_file_id = ?").run(id);
      if (missing) recordMaintenance(database, nowMs, sweepResult(NOTHING), `missing: ${path}`);
    }
    recordMaintenance(database, nowMs, sweepResult({ files: gone.length, bytes }), "released");
  });
  return { files: gone.length, bytes };
}

/**
 * Orphans: files `*.parquet` and `*.tmp` below the data folder that no row of the catalog names (left by a kill), not touched
 * for `minAgeMs`. `pending`: names of files whose commit is still to come. Compared by real path, so that symlinks, trailing
 * slashes and `/./` never make a live file an orphan. A file that this catalog can not have led to is none either.
 */
export async function findOrphans(
  session: CatalogSession,
  nowMs: number,
  minAgeMs: number,
  pending: ReadonlySet<string> = new Set(),
): Promise<readonly { path: string; bytes: number }[]> {
  const { lakeData } = session.options;
  const found = await readdir(lakeData, { recursive: true, withFileTypes: true });
  const realFolder = memoize(realFolderOrSame);
  const orphans: { path: string; bytes: number }[] = [];
  // Listed after the folder was read: a file that was named meanwhile is not an orphan.
  const named = namedFiles(session, realFolder);
  for (const entry of found) {
    if (!entry.isFile() || !/\.(parquet|tmp)$/.test(entry.name)) continue;
    const path = join(realFolder(entry.parentPath), entry.name);
    if (named.has(path) || pending.has(entry.name)) continue;
    if (isOfNewerCatalog(entry.name, session.counters.snapshotId)) continue;
    const stats = await stat(path).catch(() => null);
    if (stats !== null && nowMs - stats.mtimeMs >= minAgeMs) orphans.push({ path, bytes: stats.size });
  }
  return orphans;
}

/** Unlinks a bounded number of orphans. */
export async function sweepOrphans(
  session: CatalogSession,
  nowMs: number,
  minAgeMs: number,
  pending: ReadonlySet<string>,
): Promise<SweepStep> {
  const orphans = await findOrphans(session, nowMs, minAgeMs, pending);
  let [files, bytes] = [0, 0];
  for (const orphan of orphans.slice(0, MAX_FILES_PER_STEP)) {
    const outcome = await unlinkFile(orphan.path);
    if (outcome === null) continue;
    files += 1;
    bytes += outcome.bytes;
    failpoint("sweep-mid-unlink");
  }
  return { files, bytes };
}

function namedFiles(session: CatalogSession, realFolder: (folder: string) => string): ReadonlySet<string> {
  const { database, options } = session;
  const rows = database
    .prepare<[], { folder: string; path: string }>(
      `SELECT s.path || t.path AS folder, f.path FROM ducklake_data_file f
       JOIN ducklake_table t USING (table_id) JOIN ducklake_schema s USING (schema_id)
       UNION ALL SELECT '', path FROM ducklake_files_scheduled_for_deletion`,
    )
    .all();
  return new Set(
    rows.map(({ folder, path }) => {
      const full = join(options.lakeData, folder, path);
      return join(realFolder(dirname(full)), basename(full));
    }),
  );
}

function sweepResult(step: SweepStep): MaintenanceResult {
  return { did: "sweep", snapshotId: null, rows: 0, ...step };
}

/** Null where the file could not be unlinked now (somebody has it open on Windows): the next sweep tries again. */
async function unlinkFile(path: string): Promise<{ bytes: number; missing: boolean } | null> {
  try {
    const { size } = await stat(path);
    await unlink(path);
    fsyncFolder(dirname(path));
    return { bytes: size, missing: false };
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return { bytes: 0, missing: true };
    if (["EPERM", "EBUSY", "EACCES"].includes(systemErrorCode(error) ?? "")) return null;
    throw error;
  }
}

/** A folder that is not there holds no file that could be taken for an orphan. */
function realFolderOrSame(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return folder;
    throw error;
  }
}

function memoize(compute: (key: string) => string): (key: string) => string {
  const known = new Map<string, string>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}
