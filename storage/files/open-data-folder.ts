import { accessSync, chmodSync, constants, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../model/errors.ts";
import type { DataFolder } from "./data-folder.ts";
import { dataFolderAt } from "./data-folder.ts";
import type { FolderHazard, Mount } from "./file-system-kind.ts";
import { findHazard, readMount, resolveExisting } from "./file-system-kind.ts";
import { makeFolders } from "./make-folders.ts";
import { fsyncFolder, systemErrorCode } from "./write-file-atomic.ts";

/** How to open a data folder. */
export type OpenDataFolderOptions = {
  /** The user was told about the hazard and wants this folder all the same. */
  readonly acceptHazard?: boolean;
  /** Answers which mount holds a path; a test hands in its own. */
  readonly mountOf?: (path: string) => Mount | null;
};

/**
 * Makes `root` ready to be written: refuses folders where databases break, creates the layout (mode 700, since feeds
 * and keys are the user's alone) and empties `tmp/`. For the one process that starts the workers, after it made sure
 * that no other start uses the folder; readers use `dataFolderAt`.
 * Throws `data-folder-network` before anything is written, `data-folder-unusable` naming folder and remedy.
 */
export function openDataFolder(root: string, options: OpenDataFolderOptions = {}): DataFolder {
  const folder = dataFolderAt(root);
  const hazard = findFolderHazard(root, options.mountOf);
  if (hazard !== null && options.acceptHazard !== true) throw networkError(folder.root, hazard);
  for (const path of layout(folder)) makeFolder(path);
  sweepTemporary(folder);
  return folder;
}

/** What is wrong with the file system under `root`, or null. Writes nothing; the folder need not exist. */
export function findFolderHazard(
  root: string,
  mountOf: (path: string) => Mount | null = readMount,
): FolderHazard | null {
  const real = resolveExisting(root);
  return findHazard(real, mountOf(real));
}

function layout(folder: DataFolder): readonly string[] {
  const { root, logRoot, lake, lakeData, leases, logs, tmp, quarantine, reports, workspace } = folder;
  return [root, logRoot, lake, lakeData, leases, logs, tmp, quarantine, reports, workspace];
}

function makeFolder(path: string): void {
  try {
    const created = makeFolders(path, 0o700);
    // The user's umask may have taken more; a folder that was there before keeps the mode the user gave it.
    if (created !== undefined && process.platform !== "win32") chmodSync(path, 0o700);
    if (created !== undefined)
      for (const parent of new Set([dirname(created), dirname(path)])) fsyncFolder(parent);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new AppError("data-folder-unusable", `${path} cannot be used: ${remedy(error)}`, {
      cause: error,
      details: { path, code: systemErrorCode(error) },
    });
  }
}

function remedy(error: unknown): string {
  switch (systemErrorCode(error) ?? "") {
    case "EACCES":
    case "EPERM":
      return "it is not writable. Give yourself write permission, or choose another folder with --data DIR.";
    case "ENOENT":
      return "no folder can be made there. Choose another folder with --data DIR.";
    case "EROFS":
      return "it is on a read-only disk. Choose another folder with --data DIR.";
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full. Free some space, or choose a folder on another disk with --data DIR.";
    case "EEXIST":
    case "ENOTDIR":
      return "a file stands where a folder is needed. Move it away, or choose another folder with --data DIR.";
    default:
      return `${error instanceof Error ? error.message : String(error)}. Choose another folder with --data DIR.`;
  }
}

function networkError(root: string, hazard: FolderHazard): AppError {
  const where =
    hazard.kind === "network"
      ? `on a network file system (${hazard.fileSystem}), where databases are damaged when a program is killed`
      : `in a folder that ${hazard.service} synchronises, which damages databases while they are written`;
  return new AppError(
    "data-folder-network",
    `${root} is ${where}. Choose a folder on a local disk with --data DIR.`,
    {
      details: {
        path: root,
        hazard: hazard.kind,
        fileSystem: hazard.kind === "network" ? hazard.fileSystem : hazard.service,
      },
    },
  );
}

function sweepTemporary(folder: DataFolder): void {
  for (const name of readdirSync(folder.tmp))
    rmSync(join(folder.tmp, name), { recursive: true, force: true, maxRetries: 3 });
}
