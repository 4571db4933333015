import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { AppError } from "#storage/model/errors.ts";

/** The absolute path of a recording that can be opened. Throws `source-file-unreadable` with what to do. */
export async function checkRecording(path: string): Promise<string> {
  const absolute = resolve(path);
  const found = await stat(absolute).catch((error: unknown) => {
    throw unreadable(`${absolute} cannot be opened (${reasonOf(error)})`, error);
  });
  if (!found.isFile())
    throw unreadable(`${absolute} is a folder, pipe or device; open one file with a recording in it`);
  if (found.size === 0) throw unreadable(`${absolute} is empty; there is nothing to read in it`);
  await access(absolute, constants.R_OK).catch((error: unknown) => {
    throw unreadable(`${absolute} may not be read by this user (${reasonOf(error)})`, error);
  });
  return absolute;
}

function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

function unreadable(message: string, cause?: unknown): AppError {
  return new AppError("source-file-unreadable", message, cause === undefined ? {} : { cause });
}
