import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Size of a log folder and number of its segments. */
export type LogUsage = { readonly bytes: number; readonly segments: number };

/** Looks at the folder; a file that retention removes meanwhile counts nothing. */
export function readLogUsage(folder: string): LogUsage {
  let bytes = 0;
  let segments = 0;
  for (const name of readdirSync(folder)) {
    const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size;
    if (size === undefined) continue;
    bytes += size;
    if (name.endsWith(".sqlite")) segments += 1;
  }
  return { bytes, segments };
}
