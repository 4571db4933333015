import { statSync } from "node:fs";
import { SIDE_FILES } from "./segment-path.ts";

/** Size of a segment on disk with its side files; a missing file counts nothing. */
export function segmentBytes(path: string): number {
  return ["", ...SIDE_FILES].reduce(
    (sum, ending) => sum + (statSync(path + ending, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
