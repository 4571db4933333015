import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemErrorCode } from "./write-file-atomic.ts";

/**
 * Makes a folder and what is missing above it; returns the first one made, or undefined when all were there. Node's own
 * `recursive` never returns where a file system answers ENOENT inside a folder that exists (/proc, some FUSE mounts):
 * a start with HOME in such a place span for ever. Throws what the file system throws.
 */
export function makeFolders(path: string, mode: number): string | undefined {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder) && dirname(folder) !== folder; folder = dirname(folder))
    missing.unshift(folder);
  let first: string | undefined;
  for (const folder of missing) {
    if (makeFolder(folder, mode)) first ??= folder;
  }
  if (missing.length === 0) throwUnlessFolder(path);
  return first;
}

/** False when another start was faster. */
function makeFolder(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
    throwUnlessFolder(folder);
    return false;
  }
}

/** The system's own error for a file where a folder is needed. */
function throwUnlessFolder(path: string): void {
  if (!statSync(path).isDirectory()) mkdirSync(path);
}
