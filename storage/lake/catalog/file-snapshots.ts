import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { AppError } from "../../model/errors.ts";

/** Names of our Parquet files; {@link dataFileName} is the other direction. */
const DATA_FILE = /^(?:commit|seal|open-windows|amend)-(\d{9,})-[0-9a-f]{16}\.parquet$/;

/** Name of a Parquet file: what wrote it, the lowest snapshot that can name it, and 16 hex digits that make it unique. */
export function dataFileName(kind: string, snapshotId: number, unique: string): string {
  return `${kind}-${String(snapshotId).padStart(9, "0")}-${unique}.parquet`;
}

/** True for a file of rows that belong to one seal point only, since their windows were open there. */
export function isOpenWindowsFile(name: string): boolean {
  return name.startsWith("open-windows-");
}

/**
 * True for a file that this catalog's writer can not have left. Every file is named after the snapshot behind the newest
 * durable one at the time of writing, however many commits are prepared ahead; so what a kill leaves says at most `newest` + 1.
 * A higher number comes from a newer catalog than this one.
 */
export function isOfNewerCatalog(name: string, newest: number): boolean {
  return (snapshotOf(name) ?? 0) > newest + 1;
}

/**
 * Refuses a catalog that is older than the lake's files: it would give snapshot ids a second time and take files that hold the
 * only copy of their rows for orphans. `newest`: its newest snapshot, null where there is no catalog yet, which no file of ours
 * can precede. Throws `store-unreadable`; nothing is changed.
 */
export function assertCoversFiles(catalogPath: string, lakeData: string, newest: number | null): void {
  let [files, highest, example] = [0, 0, ""];
  for (const name of readdirSync(lakeData, { recursive: true, encoding: "utf8" })) {
    const snapshotId = snapshotOf(basename(name));
    if (snapshotId === null || (newest !== null && !isOfNewerCatalog(basename(name), newest))) continue;
    files += 1;
    if (snapshotId > highest) [highest, example] = [snapshotId, name];
  }
  if (files === 0) return;
  const wrong =
    newest === null
      ? `${catalogPath} is missing or empty, but ${lakeData} holds ${files} Parquet files of a lake`
      : `${catalogPath} went back: its newest snapshot is ${newest}, but ${files} Parquet files in ${lakeData} are of newer ones, up to ${highest}`;
  throw new AppError(
    "store-unreadable",
    `${wrong} (${example}). Nothing was deleted. Put catalog.sqlite back from a backup together with its -wal file, or move the folder lake away and start again from the log`,
    { details: { catalogPath, lakeData, newestSnapshot: newest, files, highestSnapshot: highest, example } },
  );
}

function snapshotOf(name: string): number | null {
  const digits = DATA_FILE.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}
