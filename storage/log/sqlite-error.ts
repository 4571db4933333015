import { AppError } from "../model/errors.ts";
import { systemErrorCode } from "../files/write-file-atomic.ts";

/** Longest time a statement may wait for a lock: a longer one would stop the worker's heartbeat (architecture.md). */
export const BUSY_TIMEOUT_MS = 200;

/**
 * Besides SQLITE_CORRUPT_*: not a database, read errors of the disk or a file cut short, and SQLITE_ERROR, which our
 * fixed statements only get when a table or column is missing.
 */
const BROKEN_CODES = new Set([
  "SQLITE_NOTADB",
  "SQLITE_ERROR",
  "SQLITE_IOERR_READ",
  "SQLITE_IOERR_SHORT_READ",
  "SQLITE_IOERR_CORRUPTFS",
]);

/** True where the error says that the file's content is broken, rather than that the machine had trouble. */
export function isCorruption(error: unknown): boolean {
  const code = systemErrorCode(error) ?? "";
  return code.startsWith("SQLITE_CORRUPT") || BROKEN_CODES.has(code);
}

/** An SQLite error of a segment as the product's error; anything else comes back as it is. */
export function toLogError(error: unknown, path: string): unknown {
  const code = systemErrorCode(error) ?? "";
  if (!code.startsWith("SQLITE_")) return error;
  const details = { path, code };
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"))
    return new AppError("catalog-held", `Another program holds ${path}; nothing was written, trying again.`, {
      cause: error,
      details,
    });
  if (code === "SQLITE_FULL" || code === "SQLITE_IOERR_SHMSIZE")
    return new AppError("disk-full", `The disk of ${path} is full; nothing was written. Free some space.`, {
      cause: error,
      details,
    });
  return new AppError("store-unreadable", `${path} cannot be read or written (${code}).`, {
    cause: error,
    details,
  });
}
