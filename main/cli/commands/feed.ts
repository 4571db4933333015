import { systemClock } from "#storage/model/clock.ts";
import { fromWireError } from "#storage/model/errors.ts";
import type { FeedTelemetry } from "#pipeline/protocol/telemetry.ts";
import { formatCount } from "../../headless/terminal-text.ts";
import { SupervisedWorker } from "../../supervisor/supervised-worker.ts";
import { type Command, EXIT, type Output } from "../command.ts";
import { parseWhole, textFlag } from "../flags.ts";
import { createCheckoutHost } from "../local-host.ts";
import { feedOptionsFrom, FEED_FLAGS, FEED_FLAG_HELP, forMsFrom } from "../run-options.ts";

/** `highwater feed`: the demo feed alone, for any EventSource client. */
export const feedCommand: Command = {
  name: "feed",
  summary: "serve the built-in demo feed on this computer",
  usage: "highwater feed [--port N] [--rate N|max] [--events N] [--seed N] [--manifest FILE] [--faults LIST]",
  examples: [
    "highwater feed --port 8099 --rate 50",
    "highwater feed --rate max --events 100000 --seed 7 --manifest sent.ndjson --faults cut,duplicates",
  ],
  options: { events: { type: "string" }, for: { type: "string" }, ...FEED_FLAGS },
  flagHelp: {
    events: "number of distinct events; default: without end",
    for: "stop after this long",
    ...FEED_FLAG_HELP,
  },
  run: async ({ flags, output }) => {
    const events = textFlag(flags, "events");
    const feed = feedOptionsFrom(flags, events === null ? null : parseWhole("events", events, 1));
    const last = await serve(feed, forMsFrom(flags), output);
    output.json(last);
    return last === null ? EXIT.broken : EXIT.ok;
  },
};

async function serve(
  feed: ReturnType<typeof feedOptionsFrom>,
  forMs: number | null,
  output: Output,
): Promise<FeedTelemetry | null> {
  let last: FeedTelemetry | null = null;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const worker: SupervisedWorker = new SupervisedWorker({
    name: "feed",
    host: createCheckoutHost(),
    clock: systemClock,
    startMessage: () => ({ type: "start", worker: "feed", feed }),
    events: {
      onMessage: (message) => {
        if (message.type === "ready") output.line(`serving ${String(message.info["url"])}`);
        if (message.type !== "telemetry" || message.telemetry.worker !== "feed") return;
        last = message.telemetry;
        output.progress(
          `${formatCount(last.produced)} produced · ${formatCount(last.sent)} sent · ${last.clients} clients`,
        );
      },
      onStatus: () => {
        const { state } = worker.status().phase;
        if (state === "gave-up" || state === "finished") end();
      },
      onLog: (level, line) => {
        // An error that ends it is told once, as the outcome.
        if (level === "warn") output.notice(line);
      },
    },
  });
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => end());
  if (forMs !== null) setTimeout(end, forMs);
  worker.start();
  await ended;
  await worker.stop();
  const { phase } = worker.status();
  if (phase.state === "gave-up") throw fromWireError(phase.error);
  return last;
}
