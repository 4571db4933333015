import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Offset } from "../model/brand.ts";
import { toOffset } from "../model/brand.ts";

/** A segment file by its name alone. Its records begin at `fromOffset`. */
export type SegmentFile = { readonly path: string; readonly fromOffset: Offset };

/** Endings of the files that SQLite keeps beside a database (the journal only while the file is switched to WAL). */
export const SIDE_FILES = ["-wal", "-journal", "-shm"] as const;

const SEGMENT_NAME = /^(\d{20})\.sqlite$/;
const SIDE_NAME = /^(\d{20}\.sqlite)-(wal|journal|shm)$/;

/** Path of the segment that begins at `fromOffset`; 20 digits, so that names sort like offsets. */
export function segmentPath(folder: string, fromOffset: Offset): string {
  return join(folder, `${String(fromOffset).padStart(20, "0")}.sqlite`);
}

/** Segment files in `folder` in the order of their offsets; none where the folder does not exist. */
export function listSegmentFiles(folder: string): readonly SegmentFile[] {
  const files: SegmentFile[] = [];
  for (const name of listNames(folder)) {
    const digits = SEGMENT_NAME.exec(name)?.[1];
    if (digits !== undefined) files.push({ path: join(folder, name), fromOffset: toOffset(Number(digits)) });
  }
  return files.toSorted((left, right) => left.fromOffset - right.fromOffset);
}

/**
 * Side files whose database is gone: what a kill in the middle of retention leaves behind. They must go before a
 * segment of the same name is created, since SQLite would take the old WAL for the new file's.
 */
export function listOrphanSideFiles(folder: string): readonly string[] {
  const names = new Set(listNames(folder));
  return [...names]
    .filter((name) => {
      const database = SIDE_NAME.exec(name)?.[1];
      return database !== undefined && !names.has(database);
    })
    .map((name) => join(folder, name));
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A source that was never opened has no folder; a folder that cannot be read fails at the first open.
    return [];
  }
}
