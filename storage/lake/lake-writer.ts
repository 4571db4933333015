import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DataFolder } from "../files/data-folder.ts";
import { fsyncFolder } from "../files/write-file-atomic.ts";
import { holdWriterLock, type WriterLock } from "../files/writer-lock.ts";
import type { SnapshotId } from "../model/brand.ts";
import type { Clock } from "../model/clock.ts";
import type { CatalogWentBack, CommitInput, CommitResult, LakeReader, LakeWriter } from "../model/lake.ts";
import type { LakeSettings } from "../model/settings.ts";
import type { TableDef } from "../model/table.ts";
import { openCatalogSession, type CatalogSession } from "./catalog/catalog-session.ts";
import type { OlderCatalogPolicy } from "./catalog/open-catalog.ts";
import { continueAboveSeen } from "./catalog/continue-above-seen.ts";
import { discardAmend, prepareAmend } from "./commit/amend.ts";
import { prepareBookkeeping } from "./commit/bookkeeping.ts";
import { commitTransaction } from "./commit/commit.ts";
import { discardDataFiles } from "./commit/data-files.ts";
import { createFileRows } from "./commit/file-rows.ts";
import { prepareFiles, type PreparedCommit } from "./commit/prepare-files.ts";
import { Maintenance } from "./maintain/maintenance.ts";
import { pinNewestSeal } from "./maintain/seal.ts";
import { walBytes } from "./maintain/wal.ts";
import { openLakeReader } from "./read/lake-reader.ts";

/** What opening takes. `tables`: every table of the lake; missing ones are created, in this order. */
export type LakeWriterOptions = {
  readonly folder: DataFolder;
  readonly tables: readonly TableDef[];
  readonly settings: LakeSettings;
  readonly clock: Clock;
  /** Highest snapshot id that anybody saw of this lake; a catalog below it went back. Null or left out where nobody kept it. */
  readonly seenSnapshotId?: number | null;
  /**
   * Asked with the checkpoints of a catalog that is older than the lake's files: null when everything behind them can be
   * processed again, else why not. Left out: such a catalog is refused.
   */
  readonly whyNotAgain?: OlderCatalogPolicy["whyNotAgain"];
};

/** A writer whose commits can also be made in two steps, so that writing Parquet overlaps with the next parse. */
export type TwoStepLakeWriter = LakeWriter & {
  /** Writes the commit's Parquet files; may run while earlier commits publish. Errors: `disk-full`. */
  readonly prepare: (input: CommitInput) => Promise<PreparedCommit>;
  /** Publishes it. Commits must come in offset order. After `catalog-held` and `disk-full` it may be called again with the same. */
  readonly commitPrepared: (prepared: PreparedCommit) => Promise<CommitResult>;
  /** Gives a prepared commit up and removes its files. */
  readonly discardPrepared: (prepared: PreparedCommit) => Promise<void>;
  /** Makes a seal point of what is committed and keeps it for ever. Null where the lake is empty. */
  readonly pin: (reason: string) => Promise<SnapshotId | null>;
};

/**
 * Opens the lake for writing: takes the lock, creates what is missing, puts `data_path` right.
 * Errors: `writer-lock-held`, `data-folder-too-new`, `catalog-held`, `disk-full`, `store-unreadable`.
 * A catalog older than `seenSnapshotId` is gone on with above it, and `wentBack` says so.
 */
export async function openLakeWriter(options: LakeWriterOptions): Promise<TwoStepLakeWriter> {
  const { folder, clock } = options;
  mkdirSync(folder.lakeData, { recursive: true });
  const lock = await holdWriterLock(folder.lakeLock, clock);
  let session: CatalogSession | null = null;
  try {
    session = openCatalogSession({
      catalogPath: folder.catalog,
      lakeData: folder.lakeData,
      tables: options.tables,
      settings: options.settings,
      clock,
      olderCatalog:
        options.whyNotAgain === undefined
          ? undefined
          : {
              whyNotAgain: options.whyNotAgain,
              setAsideTo: join(folder.quarantine, `lake-${Math.trunc(clock.nowMs())}`),
            },
    });
    makeTableFolders(session, folder);
    const reader = openLakeReader({
      catalogPath: folder.catalog,
      lakeData: folder.lakeData,
      tempFolder: folder.tmp,
      database: session.database,
    });
    const wentBack = continueAboveSeen(session, options.seenSnapshotId ?? null);
    return createWriter(folder, lock, session, reader, wentBack);
  } catch (error) {
    session?.close();
    lock.release();
    throw error;
  }
}

function createWriter(
  folder: DataFolder,
  lock: WriterLock,
  session: CatalogSession,
  reader: LakeReader,
  wentBack: CatalogWentBack | null,
): TwoStepLakeWriter {
  const books = prepareBookkeeping(session.database);
  const fileRows = createFileRows(folder.lakeData, folder.tmp);
  const pendingFiles = new Set<string>();
  const maintenance = new Maintenance({
    session,
    fileRows,
    earlyFileRows: createFileRows(folder.lakeData, folder.tmp),
    leases: folder.leases,
    pendingFiles,
  });
  const inTurn = createTurns();

  const prepare = async (input: CommitInput): Promise<PreparedCommit> => {
    const prepared = await prepareFiles(session, input);
    for (const file of prepared.files) pendingFiles.add(file.name);
    return prepared;
  };
  const forget = (prepared: PreparedCommit): void => {
    for (const file of prepared.files) pendingFiles.delete(file.name);
  };
  const discardPrepared = async (prepared: PreparedCommit): Promise<void> => {
    await discardDataFiles(prepared.files);
    forget(prepared);
  };
  const commitPrepared = (prepared: PreparedCommit): Promise<CommitResult> =>
    inTurn(async () => {
      const amend = await prepareAmend(session, fileRows, prepared.input);
      try {
        const result = commitTransaction(session, books, prepared, amend);
        forget(prepared);
        return result;
      } catch (error) {
        await discardAmend(amend);
        throw error;
      }
    });
  return {
    reader,
    state: reader.state,
    commit: async (input) => {
      const prepared = await prepare(input);
      try {
        return await commitPrepared(prepared);
      } catch (error) {
        await discardPrepared(prepared);
        throw error;
      }
    },
    prepare,
    commitPrepared,
    discardPrepared,
    maintain: (nowMs) => inTurn(() => maintenance.step(nowMs)),
    seal: () => inTurn(() => maintenance.seal()),
    pin: (reason) =>
      inTurn(async () => {
        await maintenance.seal();
        return pinNewestSeal(session, reason);
      }),
    hotRows: () => sumOver(session, "hotRows"),
    openRows: () => sumOver(session, "openRows"),
    wentBack,
    sealedOffset: (source) => maintenance.sealedOffset(source),
    catalogBytes: () => statSync(folder.catalog).size + walBytes(folder.catalog),
    close: () =>
      inTurn(async () => {
        await maintenance.close();
        await fileRows.close();
        await reader.close();
        session.close();
        lock.release();
      }),
  };
}

function sumOver(session: CatalogSession, figure: "hotRows" | "openRows"): number {
  let rows = 0;
  for (const table of session.counters.tables.values()) rows += table[figure];
  return rows;
}

function makeTableFolders(session: CatalogSession, folder: DataFolder): void {
  for (const table of session.tables) {
    const path = join(folder.lakeData, table.folder);
    if (mkdirSync(path, { recursive: true }) === undefined) continue;
    // A file is only as durable as the names of the folders above it.
    fsyncFolder(dirname(path));
    fsyncFolder(dirname(dirname(path)));
  }
  fsyncFolder(folder.lake);
}

/** Runs one thing after the other: a commit never meets a seal, whatever the caller awaits. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    // The next one must not inherit this one's failure, which its own caller sees.
    last = done.catch(() => undefined);
    return done;
  };
}
