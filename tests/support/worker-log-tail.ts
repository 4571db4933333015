import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DataFolder } from "#storage/files/data-folder.ts";

/** Last lines of the workers' log files, for the message of a failed test. */
export function workerLogTail(folder: DataFolder, lines = 12): string {
  if (!existsSync(folder.logs)) return "no worker log files";
  return readdirSync(folder.logs)
    .map((name) => {
      const text = readFileSync(join(folder.logs, name), "utf8").trimEnd();
      return `--- ${name}\n${text.split("\n").slice(-lines).join("\n").slice(-4_000)}`;
    })
    .join("\n");
}
