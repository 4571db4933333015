import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, realpathSync } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isAlive } from "../duckdb/work-folder.ts";
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

/** A name beside a target, for what is not whole yet. It has this process in it, so that its end can be told from its work. */
export function nameBeside(target: string): string {
  return `${target}.${process.pid}-${randomUUID()}.tmp`;
}

/** Removes what exports to this target left behind when they were killed; those of processes that live are left alone. */
export async function sweepBeside(target: string): Promise<void> {
  const folder = dirname(target);
  const start = `${basename(target)}.`;
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(start) ? LEFT_BESIDE.exec(name.slice(start.length))?.[1] : undefined;
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
}

const LEFT_BESIDE = /^(\d+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/u;

/** Copies beside the target (it may be on another disk), makes it durable, and renames over it. */
export async function moveFile(file: string, target: string, signal: AbortSignal): Promise<WrittenFile> {
  const beside = nameBeside(target);
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await sweepBeside(target);
    await pipeline(createReadStream(file), hashing, createWriteStream(beside, { flags: "wx" }), { signal });
    await syncFile(beside);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw writeFailed(target, error, signal);
  }
  return { bytes: (await stat(target)).size, sha256: hash.digest("hex") };
}

/** What to do about what the file system says most often. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; free some space or choose a folder on another one",
  EROFS: "the disk can only be read; choose a folder on another one",
  EACCES: "this user may not write there; choose another folder",
  EPERM: "this user may not write there; choose another folder",
  ENOTEMPTY: "something came into it meanwhile; an export gets a folder of its own",
};

/** The error of a file or folder that could not be written; a cancelled export says that. */
export function writeFailed(target: string, error: unknown, signal: AbortSignal): AppError {
  if (signal.aborted) return new AppError("statement-cancelled", "cancelled", { cause: error });
  if (error instanceof AppError) return error;
  const code = error instanceof Error && "code" in error ? error.code : null;
  const known = typeof code === "string" ? REMEDIES[code] : undefined;
  const reason = known ?? (error instanceof Error ? error.message : String(error));
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
