import type { Dirent } from "node:fs";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { NO_OFFSET, type Offset, type SourceName, toOffset } from "../model/brand.ts";
import { readClosedSegment } from "./inspect-segment.ts";
import { listSegmentFiles } from "./segment-path.ts";
import type { SegmentState } from "./segment-state.ts";

/**
 * Offsets behind the checkpoint that a reader can have read and may still commit: the pipeline has one batch in hand and
 * one being committed, of at most 100,000 records each (the limit of the setting `catchUpRecords`). It can not read more
 * once the segment was moved away.
 */
export const READ_AHEAD_MAX = 200_000;

/**
 * Last offset that must not be given again because a segment which was set aside held it, or may have. `checkpoint` was
 * read after the segments were moved. The head that a segment names is believed only when its records end there too, so
 * that one damaged place alone never lets an offset be used twice; else it is the checkpoint and all that can be read ahead.
 */
export function lastLostOffset(segments: readonly string[], checkpoint: Offset): Offset {
  if (segments.length === 0) return NO_OFFSET;
  const limit = checkpoint + READ_AHEAD_MAX;
  const ends = segments.map((path) => believedHead(path) ?? limit);
  return toOffset(Math.min(limit, Math.max(...ends)));
}

/**
 * Segments of a source in quarantine that were newer than `newest` when they were set aside: a takeover that was killed
 * before it began the next segment left them. Nothing for a log without a readable segment, which says no time to compare with.
 */
export function unsettledQuarantine(
  quarantine: string,
  source: SourceName,
  newest: SegmentState | null,
): readonly string[] {
  if (newest === null) return [];
  const prefix = `log-${source}-`;
  return listFolders(quarantine)
    .filter((name) => name.startsWith(prefix) && Number(name.slice(prefix.length)) >= newest.createdTimeMs)
    .flatMap((name) => listSegmentFiles(join(quarantine, name)))
    .filter(({ fromOffset }) => fromOffset > newest.head)
    .map(({ path }) => path);
}

function believedHead(path: string): Offset | null {
  const head = readClosedSegment(path)?.head ?? null;
  return head !== null && head === lastRecordOf(path) ? head : null;
}

function lastRecordOf(path: string): number | null {
  let database: Database.Database | null = null;
  try {
    database = new Database(path, { readonly: true, fileMustExist: true });
    const last = "SELECT first_offset + record_count - 1 FROM blocks ORDER BY first_offset DESC LIMIT 1";
    return database.prepare<[], number>(last).pluck().get() ?? null;
  } catch {
    // Broken is what it was set aside for.
    return null;
  } finally {
    database?.close();
  }
}

function listFolders(folder: string): readonly string[] {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // Nothing was ever set aside.
    return [];
  }
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
