import Database from "better-sqlite3";
import type { Clock } from "../model/clock.ts";
import { systemClock } from "../model/clock.ts";
import { AppError } from "../model/errors.ts";
import { ownProcessStart } from "./process-start.ts";
import { systemErrorCode, writeFileAtomic } from "./write-file-atomic.ts";
import type { WriterRecord } from "./writer-record.ts";
import { isWriterAlive, readWriterRecord, writerRecordPath } from "./writer-record.ts";

/** The right to write a store. Held until released or until the process dies, however it dies. */
export type WriterLock = {
  readonly path: string;
  readonly record: WriterRecord;
  readonly release: () => void;
};

/** Keeps each connection reachable: a collected handle would drop the kernel's lock. */
const held = new Map<string, Database.Database>();

/**
 * Takes the exclusive right to write beside `path` (`writer.lock`), then says so in `writer.json`. The lock is an
 * exclusive SQLite transaction with a rollback journal, so the kernel frees it with the process. Nothing else in the
 * process may ever open `path`: POSIX drops a process's locks on a file when any of its handles is closed.
 * Throws `writer-lock-held`, naming pid and start of the holder, when another process (or this one) has it.
 */
export async function holdWriterLock(path: string, clock: Clock = systemClock): Promise<WriterLock> {
  if (held.has(path)) throw lockHeld(path, readWriterRecord(path));
  held.set(path, takeLock(path));
  const record: WriterRecord = {
    pid: process.pid,
    processStart: ownProcessStart(),
    heldSince: new Date(clock.nowMs()).toISOString(),
  };
  try {
    await writeFileAtomic(writerRecordPath(path), JSON.stringify(record));
  } catch (error) {
    dropLock(path);
    throw error;
  }
  return { path, record, release: () => dropLock(path) };
}

function takeLock(path: string): Database.Database {
  let database: Database.Database | null = null;
  try {
    database = new Database(path, { timeout: 0 });
    database.pragma("journal_mode = DELETE");
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database?.close();
    throw notTaken(path, error);
  }
}

function notTaken(path: string, error: unknown): unknown {
  const code = systemErrorCode(error) ?? "";
  if (code.startsWith("SQLITE_BUSY")) return lockHeld(path, readWriterRecord(path), error);
  if (code === "SQLITE_FULL" || code.startsWith("SQLITE_IOERR"))
    return new AppError(
      "disk-full",
      `The disk of ${path} is full or cannot be written (${code}). Free some space.`,
      {
        cause: error,
      },
    );
  if (code.startsWith("SQLITE_CANTOPEN") || code.startsWith("SQLITE_READONLY"))
    return new AppError(
      "data-folder-unusable",
      `${path} cannot be written by this user (${code}). Make the data folder yours, or choose another with --data.`,
      { cause: error },
    );
  return error;
}

function dropLock(path: string): void {
  const database = held.get(path);
  held.delete(path);
  database?.close();
}

function lockHeld(path: string, record: WriterRecord | null, cause?: unknown): AppError {
  // Between taking the lock and writing its record a holder is nameless, and the old record names a dead process.
  const known = record !== null && isWriterAlive(record) ? record : null;
  const holder =
    known === null
      ? "another process that is just starting"
      : `process ${known.pid} (started ${known.processStart}, since ${known.heldSince})`;
  return new AppError(
    "writer-lock-held",
    `${path} is held by ${holder}. Close the other Highwater on this data folder, or choose another folder.`,
    {
      cause,
      details: {
        path,
        pid: known?.pid ?? null,
        processStart: known?.processStart ?? null,
        heldSince: known?.heldSince ?? null,
      },
    },
  );
}
