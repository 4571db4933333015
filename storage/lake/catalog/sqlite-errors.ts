import { AppError, type ErrorCode } from "../../model/errors.ts";

/**
 * What an error of SQLite or of the file system means for the lake. `transient` ones leave everything as it was:
 * the transaction is rolled back by the caller before this is asked.
 */
export function toLakeError(error: unknown, doing: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const lakeCode = lakeErrorCode(code);
  if (lakeCode === null) return error;
  return new AppError(lakeCode, `${REMEDIES[lakeCode]} (while ${doing}: ${error.message})`, {
    cause: error,
    details: { sqliteCode: code },
  });
}

type LakeErrorCode = Extract<ErrorCode, "catalog-held" | "disk-full" | "store-unreadable">;

const REMEDIES: Readonly<Record<LakeErrorCode, string>> = {
  "catalog-held": "another program holds the catalog; close its transaction, then this goes on by itself",
  "disk-full": "the disk is full; free some space, then this goes on by itself",
  "store-unreadable": "the catalog can not be read; it can be rebuilt from the Parquet files and the log",
};

function lakeErrorCode(code: string): LakeErrorCode | null {
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) return "catalog-held";
  // A reader, too, needs room for the index of the write-ahead log (SHMSIZE): nothing is broken then.
  if (code === "SQLITE_FULL" || code === "SQLITE_IOERR_SHMSIZE" || code === "ENOSPC" || code === "EDQUOT")
    return "disk-full";
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR|CANTOPEN)/.test(code)) return "store-unreadable";
  return null;
}
