import { runHeadless, type HeadlessResult } from "../../headless/run-headless.ts";
import { type Command, EXIT, type ExitCode } from "../command.ts";
import { textFlag } from "../flags.ts";
import { engineOptionsFrom, FEED_FLAGS, FEED_FLAG_HELP, forMsFrom } from "../run-options.ts";

/** `highwater run`: the whole pipeline in the terminal, from the source that is named. */
export const runCommand: Command = {
  name: "run",
  summary: "catch a source into the lake until told to stop",
  usage: "highwater run [--source live|demo|file:PATH|URL] [--events N] [--for 60s] [--data DIR] [--json]",
  examples: [
    "highwater run --source live --for 5m",
    "highwater run --source demo --events 10000 --rate max --data /tmp/hw",
    "highwater run --source file:recording.ndjson --data /tmp/hw --json",
  ],
  options: { source: { type: "string" }, events: { type: "string" }, for: { type: "string" }, ...FEED_FLAGS },
  flagHelp: {
    source:
      "live (Wikimedia's edits), demo, file:PATH (NDJSON, JSON array or SSE, plain or gzip) or an address; default live",
    events:
      "stop when the lake holds this many distinct records of the source (canaries do not count, dead letters do), those of earlier runs included",
    for: "stop after this long",
    ...FEED_FLAG_HELP,
  },
  run: async ({ flags, output }) => {
    const options = engineOptionsFrom(flags, textFlag(flags, "source") ?? "live");
    const result = await runHeadless(options, forMsFrom(flags), output);
    output.json(resultDocument(result));
    return exitOf(result);
  },
};

/** A run that could not go on is broken; one that was stopped, timed or reached its end is fine. */
export function exitOf(result: HeadlessResult): ExitCode {
  return result.ended === "gave-up" ? EXIT.broken : EXIT.ok;
}

/** The JSON document of a run: how it ended, then the last telemetry of each worker as it came. */
export function resultDocument({ status, elapsedMs, ended }: HeadlessResult): unknown {
  return {
    ended,
    elapsedMs: Math.round(elapsedMs),
    dataFolder: status.dataFolder,
    mode: status.mode,
    source: status.source,
    ingest: status.ingest,
    pipeline: status.pipeline,
    workers: status.workers,
    settingsFile: status.settingsFile,
    banners: status.banners,
  };
}
