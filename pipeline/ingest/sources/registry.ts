import { AppError } from "#storage/model/errors.ts";
import type { SourceSpec } from "../../protocol/worker-messages.ts";
import type { Source } from "../source-contract.ts";
import { file } from "./file/file.ts";
import { wikimediaRecentchange } from "./wikimedia-recentchange/wikimedia-recentchange.ts";

/** Every source, first match serves. A test compares this list with the folders beside it. */
export const SOURCES: readonly Source[] = [wikimediaRecentchange, file];

/** The source that serves `spec`. Throws `source-configuration` when none does. */
export function sourceFor(spec: SourceSpec): Source {
  const source = SOURCES.find((candidate) => candidate.serves(spec));
  if (source === undefined) {
    throw new AppError(
      "source-configuration",
      `no source serves ${JSON.stringify(spec)}; use live, demo, file:PATH or an http(s) address`,
    );
  }
  return source;
}
