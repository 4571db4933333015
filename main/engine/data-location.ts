import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { AppError } from "#storage/model/errors.ts";
import type { SourceMode } from "../contract/app-status.ts";

/** The platform's user-data folder of this program. XDG says a relative XDG_DATA_HOME is to be ignored. */
export function userDataFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = env["HOME"] ?? homedir();
  if (platform === "darwin") return join(home, "Library", "Application Support", "Highwater");
  if (platform === "win32") return join(env["APPDATA"] ?? join(home, "AppData", "Roaming"), "Highwater");
  const xdg = env["XDG_DATA_HOME"];
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, ".local", "share"), "highwater");
}

/**
 * Where a mode's data lives: `--data DIR` for the mode that was asked for, else `live`, `demo` or `files` in the user-data
 * folder. The demo that stands in for an unreachable feed gets a folder of its own beside the one asked for.
 */
export function dataFolderFor(mode: SourceMode, asked: string | null, askedMode: SourceMode): string {
  if (asked === null) return join(userDataFolder(), mode === "file" ? "files" : mode);
  const folder = resolve(asked);
  return mode === askedMode ? folder : join(dirname(folder), `${basename(folder)}-${mode}`);
}

/** The folder in use at the start, and those that this run or an earlier one like it may have switched to. */
export function foldersOfSwitches(
  inUse: string,
  asked: string | null,
  askedMode: SourceMode,
): readonly string[] {
  return [
    ...new Set([
      inUse,
      ...(["live", "demo", "file"] as const).map((mode) => dataFolderFor(mode, asked, askedMode)),
    ]),
  ];
}

/** The mark that tells a demo folder from one with real data. */
export type FolderMark = { readonly data: "demo" | "real" };

/** The mark a folder of this mode carries. */
export function markOf(mode: SourceMode): FolderMark {
  return { data: mode === "demo" ? "demo" : "real" };
}

function readMark(markPath: string): string {
  try {
    return readFileSync(markPath, "utf8");
  } catch (error) {
    throw new AppError("data-folder-unusable", `${markPath} cannot be read (${String(error)}).`, {
      cause: error,
    });
  }
}

/** True where the folder is marked for this mode already. Throws `usage` when it holds the other kind of data: demo records never mix with real ones. */
export function checkMark(markPath: string, mode: SourceMode): boolean {
  if (!existsSync(markPath)) return false;
  const text = readMark(markPath);
  const isDemo = text.includes('"demo"');
  if (!isDemo && !text.includes('"real"'))
    throw new AppError(
      "data-folder-unusable",
      `${markPath} does not say whether this folder holds demo or real data. Put ${JSON.stringify(markOf("demo"))} or ${JSON.stringify(markOf("live"))} into it, whichever is true; nothing was changed.`,
    );
  if (isDemo === (mode === "demo")) return text === JSON.stringify(markOf(mode));
  throw new AppError(
    "usage",
    isDemo
      ? "This data folder holds demo data; real data goes into another one. Choose it with --data."
      : "This data folder holds real data; the demo feed needs one of its own. Choose it with --data.",
  );
}
