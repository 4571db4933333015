import { parseArgs } from "node:util";
import type { FeedOptions } from "#pipeline/protocol/worker-messages.ts";
import { FEED_FLAGS, feedOptionsFrom } from "../cli/run-options.ts";
import { textFlag } from "../cli/flags.ts";

/** What the command line of the window says. */
export type WindowArguments = {
  readonly dataFolder: string | null;
  readonly source: string | null;
  readonly feed: FeedOptions;
};

/**
 * Reads `--data DIR`, `--source live|demo|file:PATH|URL` and the demo feed's flags. Chromium's own switches stand in the
 * same line, so what is unknown here is left alone. Throws AppError `usage` for a bad value.
 */
export function parseWindowArguments(args: readonly string[]): WindowArguments {
  const { values } = parseArgs({
    args: [...args],
    options: { data: { type: "string" }, source: { type: "string" }, ...FEED_FLAGS },
    strict: false,
  });
  return {
    dataFolder: textFlag(values, "data"),
    source: textFlag(values, "source"),
    feed: feedOptionsFrom(values, null),
  };
}
