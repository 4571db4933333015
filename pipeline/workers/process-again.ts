import { readdirSync } from "node:fs";
import type { DataFolder } from "#storage/files/data-folder.ts";
import { openLogReader } from "#storage/log/log-reader.ts";
import { isSourceName, type SourceName } from "#storage/model/brand.ts";

/**
 * Whether the logs of a data folder still hold every record behind the checkpoints of a catalog that went back: null when they
 * do, else a sentence that says what is missing. A source without a checkpoint must be there from its first offset on.
 */
export function whyNotProcessAgain(
  folder: DataFolder,
  checkpoints: ReadonlyMap<string, number>,
): string | null {
  const sources = new Set([...checkpoints.keys(), ...listLogs(folder)].filter(isSourceName));
  for (const source of sources) {
    const tail = tailOf(folder, source);
    const needed = (checkpoints.get(source) ?? 0) + 1;
    if (tail === null) return `There is no log of ${source} any more to process its records from again.`;
    if (tail > needed)
      return `The log of ${source} begins at offset ${tail}: what this catalog lacks from ${needed} on cannot be processed again.`;
  }
  return null;
}

/** First offset still kept; null where there is no log at all. */
function tailOf(folder: DataFolder, source: SourceName): number | null {
  const log = openLogReader({ folder: folder.log(source), source });
  try {
    const tail = log.tail();
    return tail > log.head() ? null : tail;
  } finally {
    log.close();
  }
}

function listLogs(folder: DataFolder): readonly string[] {
  try {
    return readdirSync(folder.logRoot, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    // No log was ever begun here.
    return [];
  }
}
