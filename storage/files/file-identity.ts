import { statSync } from "node:fs";
import { AppError } from "../model/errors.ts";

/** Device and inode of the file at `path` as one string, or null where there is none. */
export function fileIdentity(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}

/**
 * Throws `file-replaced` unless `path` still names the file that had `identity`. An open database whose name was given
 * to another file goes on working, and everything written to it is gone with the process: so a writer asks before
 * each commit (architecture.md "Recovery").
 */
export function assertSameFile(path: string, identity: string | null): void {
  if (identity !== null && fileIdentity(path) === identity) return;
  throw new AppError(
    "file-replaced",
    `${path} was moved, deleted or replaced while it was open. Stop the program that did it, then start again.`,
    { details: { path } },
  );
}
