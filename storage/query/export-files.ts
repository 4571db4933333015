import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, realpathSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { DataFolder } from "../files/data-folder.ts";
import { AppError } from "../model/errors.ts";

/** A finished file: its size and its sha256 in hex. */
export type WrittenFile = { readonly bytes: number; readonly sha256: string };

/** The target with links resolved. The lake and the log are written by their writers alone. Throws `export-failed`. */
export function allowedTarget(folder: DataFolder, path: string): string {
  const target = resolve(path);
  let parent = "";
  try {
    parent = realpathSync(dirname(target));
  } catch (error) {
    throw new AppError("export-failed", `there is no folder ${dirname(target)}; make it first`, {
      cause: error,
    });
  }
  for (const own of [folder.lake, folder.logRoot, folder.leases, folder.workspace]) {
    const inside = `${realOf(own)}${sep}`;
    if (`${join(parent, basename(target))}${sep}`.startsWith(inside)) {
      throw new AppError("export-failed", `${own} belongs to the app; export to another folder`, {
        details: { path },
      });
    }
  }
  return join(parent, basename(target));
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not made yet: then nothing can lie in it, and its plain name is as good.
    return path;
  }
}

/** Copies beside the target (it may be on another disk), makes it durable, and renames over it. */
export async function moveFile(file: string, target: string, signal: AbortSignal): Promise<WrittenFile> {
  const beside = `${target}.${randomUUID()}.tmp`;
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(file), hashing, createWriteStream(beside, { flags: "wx" }), { signal });
    await syncFile(beside);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw writeFailed(target, error, signal);
  }
  return { bytes: (await stat(target)).size, sha256: hash.digest("hex") };
}

/** The error of a file or folder that could not be written; a cancelled export says that. */
export function writeFailed(target: string, error: unknown, signal: AbortSignal): AppError {
  if (signal.aborted) return new AppError("statement-cancelled", "cancelled", { cause: error });
  if (error instanceof AppError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError("export-failed", `could not write ${target}: ${reason}`, { cause: error });
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
