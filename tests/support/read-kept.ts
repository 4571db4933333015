import { expect } from "vitest";
import { LAKE_TABLES } from "#pipeline/batch/lake-tables.ts";
import type { DataFolder } from "#storage/files/data-folder.ts";
import { hasExtensions, HOW_TO_GET_EXTENSIONS } from "#storage/lake/conformance-tools.test-support.ts";
import { recount } from "#storage/lake/lake.test-support.ts";
import { readByExtension } from "#storage/lake/read-by-extension.test-support.ts";
import type { SnapshotId } from "#storage/model/brand.ts";
import type { SnapshotInfo } from "#storage/model/lake.ts";
import { openReader } from "./dump-lake.ts";
import { IS_FULL, randomFrom, SEED } from "./seed.ts";

/**
 * I3 at the end of a run: reads kept snapshots row by row through our reader and through the real ducklake extension, and
 * throws unless the two read the same, which is also what each snapshot's stored hash says. Read are the newest, all seal
 * points and `sample` others by the run's seed (each takes the extension about a quarter of a second); with
 * HIGHWATER_FULL=1 every kept one. Nobody may be writing the lake. Returns how many were read.
 */
export async function expectKeptReadAlike(folder: DataFolder, sample: number): Promise<number> {
  if (!hasExtensions) {
    if (process.env["CI"]) throw new Error(HOW_TO_GET_EXTENSIONS);
    process.stderr.write(`NOT READ BY THE DUCKLAKE EXTENSION: ${HOW_TO_GET_EXTENSIONS}\n`);
  }
  const reader = openReader(folder);
  try {
    const ids = chosen(reader.snapshots(100_000), sample);
    const own = new Map<string, string>();
    for (const id of ids) {
      for (const table of LAKE_TABLES) {
        const { hash, rows } = await recount(reader, table, id);
        expect(`${hash}`, `${table.name} at ${id}: read, and stored`).toBe(
          `${reader.contentHash(table, id)}`,
        );
        own.set(`${id}/${table.name}`, `${hash}/${rows}`);
      }
    }
    if (hasExtensions) expect(await readByExtension(folder.catalog, ids, "lake")).toEqual(own);
    return ids.length;
  } finally {
    await reader.close();
  }
}

/** Ids in order; the first snapshot of all is without tables. */
function chosen(kept: readonly SnapshotInfo[], sample: number): readonly SnapshotId[] {
  const readable = kept.filter(({ snapshotId }) => snapshotId > 1);
  const newest = readable.reduce((most, { snapshotId }) => Math.max(most, snapshotId), 0);
  const isSure = ({ sealed, snapshotId }: SnapshotInfo): boolean => sealed || snapshotId === newest;
  const random = randomFrom(SEED);
  const others = readable
    .filter((snapshot) => !isSure(snapshot))
    .map((snapshot) => ({ snapshot, place: random() }))
    .toSorted((left, right) => left.place - right.place)
    .slice(0, IS_FULL ? readable.length : sample)
    .map(({ snapshot }) => snapshot);
  return [...readable.filter(isSure), ...others]
    .map(({ snapshotId }) => snapshotId)
    .toSorted((left, right) => left - right);
}
