import type { SourceMode } from "../contract/app-status.ts";
import { dataFolderFor } from "../engine/data-location.ts";
import { textFlag } from "./flags.ts";
import { parseSource } from "../engine/source-spec.ts";

type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** The data folder that `--data` names, or the user-data folder of the mode (`--source` where it is given). */
export function dataFolderFlag(flags: Flags, fallback: SourceMode): string {
  const source = textFlag(flags, "source");
  const mode = source === null ? fallback : parseSource(source).mode;
  return dataFolderFor(mode, textFlag(flags, "data"), mode);
}
