import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fsyncFolder } from "../../files/write-file-atomic.ts";
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

/** Files that say that a newer catalog than the one at hand wrote them; names below the lake's data folder. */
export type NewerFiles = { readonly names: readonly string[]; readonly highestSnapshot: number };

/** Files of a newer catalog, or null. `newest`: this catalog's newest snapshot; null for none, which no file of ours can precede. */
export function findNewerFiles(lakeData: string, newest: number | null): NewerFiles | null {
  const names = readdirSync(lakeData, { recursive: true, encoding: "utf8" }).filter((name) => {
    const file = basename(name);
    return snapshotOf(file) !== null && (newest === null || isOfNewerCatalog(file, newest));
  });
  if (names.length === 0) return null;
  return { names, highestSnapshot: Math.max(...names.map((name) => snapshotOf(basename(name)) ?? 0)) };
}

/**
 * The refusal of a catalog that is older than the lake's files: it would give snapshot ids a second time and take files that
 * hold the only copy of their rows for orphans. Nothing was changed. `why`: what hinders going on, a sentence.
 */
export function refuseOlderCatalog(
  catalogPath: string,
  lakeData: string,
  newest: number | null,
  { names, highestSnapshot }: NewerFiles,
  why = "",
): AppError {
  const files = names.length;
  const example = names.find((name) => snapshotOf(basename(name)) === highestSnapshot) ?? "";
  const wrong =
    newest === null
      ? `${catalogPath} is missing or empty, but ${lakeData} holds ${files} Parquet files of a lake`
      : `${catalogPath} went back: its newest snapshot is ${newest}, but ${files} Parquet files in ${lakeData} are of newer ones, up to ${highestSnapshot}`;
  return new AppError(
    "store-unreadable",
    `${wrong} (${example}). ${why === "" ? "" : `${why} `}Nothing was deleted. Put catalog.sqlite back from a backup together with its -wal file, or move the folder lake away and start again from the log`,
    { details: { catalogPath, lakeData, newestSnapshot: newest, files, highestSnapshot, example } },
  );
}

/** Moves files out of the lake's data folder into `target`, each below the folders it had; a kill in between leaves the rest for the next time. */
export function setFilesAside(lakeData: string, names: readonly string[], target: string): void {
  const folders = new Set(
    names.flatMap((name) => [dirname(join(lakeData, name)), dirname(join(target, name))]),
  );
  for (const name of names) {
    mkdirSync(dirname(join(target, name)), { recursive: true, mode: 0o700 });
    renameSync(join(lakeData, name), join(target, name));
  }
  for (const folder of folders) fsyncFolder(folder);
  fsyncFolder(dirname(target));
}

function snapshotOf(name: string): number | null {
  const digits = DATA_FILE.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}
