import { existsSync } from "node:fs";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openLakeReader } from "#storage/lake/read/lake-reader.ts";
import { AppError } from "#storage/model/errors.ts";
import type { LakeReader } from "#storage/model/lake.ts";
import type { CommitPoint, Place } from "../measure/contract.ts";

/** Snapshots are kept for 200,000 records at least, which no machine commits within this. */
const LOOK_EACH_MS = 500;
const NEWEST = 300;

/** Commits of a run as the catalog tells them while they are kept: a long run expires its first ones before it ends. */
export type CommitWatch = {
  /** To be called again and again during the run. */
  readonly look: () => void;
  /** Looks once more and ends: all commits in order. Throws where one was missed. */
  readonly end: () => Promise<readonly CommitPoint[]>;
};

/** Watches the lake of a data folder, which need not exist yet. */
export function watchCommits({ root, source }: Place): CommitWatch {
  const folder = dataFolderAt(root);
  const found = new Map<number, CommitPoint>();
  let reader: LakeReader | null = null;
  let lookedMs = Number.NEGATIVE_INFINITY;

  const take = (): void => {
    lookedMs = performance.now();
    reader ??= openWhereThereIsOne(folder);
    for (const { kind, source: from, fromOffset, toOffset, commitTimeUs } of reader?.snapshots(NEWEST) ??
      []) {
      if (kind !== "commit" || from !== source || fromOffset === null || toOffset === null) continue;
      found.set(fromOffset, { fromOffset, toOffset, commitTimeMs: commitTimeUs / 1_000 });
    }
  };
  return {
    look: () => {
      if (performance.now() - lookedMs >= LOOK_EACH_MS) take();
    },
    end: async () => {
      take();
      await reader?.close();
      const commits = [...found.values()].toSorted((left, right) => left.fromOffset - right.fromOffset);
      const missed = commits.findIndex(
        ({ fromOffset }, index) => fromOffset !== (commits[index - 1]?.toOffset ?? 0) + 1,
      );
      if (missed >= 0) throw new Error(`a commit before offset ${commits[missed]?.fromOffset} was not seen`);
      return commits;
    },
  };
}

function openWhereThereIsOne(folder: ReturnType<typeof dataFolderAt>): LakeReader | null {
  if (!existsSync(folder.catalog)) return null;
  try {
    return openLakeReader({
      catalogPath: folder.catalog,
      lakeData: folder.lakeData,
      tempFolder: folder.tmp,
    });
  } catch (error) {
    // It is being made.
    if (error instanceof AppError && error.code === "snapshot-unknown") return null;
    throw error;
  }
}
