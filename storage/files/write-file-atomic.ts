import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../model/errors.ts";

/** What a test replaces to see the retries without waiting for them. */
export type AtomicWriteDeps = {
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly waitMs: (ms: number) => Promise<unknown>;
};

const machine: AtomicWriteDeps = { rename, waitMs: delay };

/** Waits between the tries of a rename; their sum (7.1 s) outlasts a virus scanner that holds the file for 5 s (C41). */
const RENAME_WAITS_MS = [10, 20, 50, 100, 200, 400, 800, 1_500, 2_000, 2_000];

/** Codes by which Windows says "somebody has this file open just now". */
const HELD_CODES = new Set(["EPERM", "EBUSY", "EACCES"]);

/**
 * Replaces the file at `path` as a whole: after any kill or power cut it has the old or the new content, never a part
 * or nothing. Order: temporary file in the same folder, fsync, rename, fsync of the folder. Mode 600. Throws `disk-full`
 * (the old content stays), else what the file system throws; a file held by somebody else is tried again for about 7 s.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  deps: AtomicWriteDeps = machine,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameWithRetry(temporary, path, deps);
  } catch (error) {
    await rm(temporary, { force: true });
    throw diskFull(path, error) ?? error;
  }
  await fsyncFolderAside(dirname(path));
}

/** As {@link fsyncFolder}, without holding up the caller's events: on a busy disk it takes seconds. */
export async function fsyncFolderAside(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function diskFull(path: string, error: unknown): AppError | null {
  const code = systemErrorCode(error);
  if (code !== "ENOSPC" && code !== "EDQUOT") return null;
  return new AppError("disk-full", `The disk of ${path} is full; nothing was written. Free some space.`, {
    cause: error,
  });
}

async function renameWithRetry(from: string, to: string, deps: AtomicWriteDeps): Promise<void> {
  for (const waitMs of RENAME_WAITS_MS) {
    try {
      await deps.rename(from, to);
      return;
    } catch (error) {
      if (!HELD_CODES.has(systemErrorCode(error) ?? "")) throw error;
      await deps.waitMs(waitMs);
    }
  }
  await deps.rename(from, to);
}

/** Makes created, renamed and removed names in `folder` durable. Does nothing on Windows, which has no such call. */
export function fsyncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The system's code of an error (`ENOENT`, `SQLITE_BUSY` …), or null where it has none. */
export function systemErrorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}
