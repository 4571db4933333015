import { runHeadless } from "../../headless/run-headless.ts";
import type { Command } from "../command.ts";
import { textFlag } from "../flags.ts";
import { engineOptionsFrom, FEED_FLAGS, FEED_FLAG_HELP, forMsFrom } from "../run-options.ts";
import { exitOf, resultDocument } from "./run.ts";

/** `highwater start`: what `npm start` runs where there is no display; falls back to the demo feed on a first run. */
export const startCommand: Command = {
  name: "start",
  summary: "start in the terminal: the live feed, or the demo feed when it cannot be reached",
  usage: "highwater start [--source live|demo|file:PATH|URL] [--for 60s] [--data DIR]",
  examples: ["highwater start", "highwater start --source demo"],
  options: {
    headless: { type: "boolean" },
    source: { type: "string" },
    events: { type: "string" },
    for: { type: "string" },
    ...FEED_FLAGS,
  },
  flagHelp: {
    headless: "in the terminal (the only way here; a window is opened by npm start where there is a display)",
    source:
      "as in `run`; without it the demo feed stands in when the live feed gives nothing for 10 s on a first run",
    events:
      "stop when the lake holds this many distinct records of the source, those of earlier runs included",
    for: "stop after this long",
    ...FEED_FLAG_HELP,
  },
  run: async ({ flags, output }) => {
    const options = engineOptionsFrom(flags, textFlag(flags, "source"));
    output.line("Highwater in the terminal. Ctrl+C ends it; nothing is lost by that.");
    const result = await runHeadless(options, forMsFrom(flags), output);
    output.json(resultDocument(result));
    return exitOf(result);
  },
};
