import { readFileSync } from "node:fs";
import { join } from "node:path";
import { feedOptionsSchema } from "#pipeline/protocol/feed-options.ts";
import type { FeedOptions } from "#pipeline/protocol/worker-messages.ts";
import type { EngineOptions } from "../compose.ts";
import { parseDurationMs, parseRate, parseTimeMs, parseWhole, textFlag, usage } from "./flags.ts";
import { PROJECT_ROOT } from "./checkout.ts";
import { createCheckoutHost } from "./local-host.ts";

type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** Flags of the demo feed, for `feed` and for `run --source demo`. */
export const FEED_FLAGS = {
  port: { type: "string" },
  rate: { type: "string" },
  "event-rate": { type: "string" },
  seed: { type: "string" },
  start: { type: "string" },
  manifest: { type: "string" },
  faults: { type: "string" },
  "connection-max": { type: "string" },
} as const;

/** Their help texts. */
export const FEED_FLAG_HELP = {
  port: "port on 127.0.0.1; default: any free one",
  rate: "events per second, or max; default 50",
  "event-rate": "events per second of event time; default: the rate, 2,000 for max",
  seed: "number that all content follows from; default 1",
  start: "event time of the first event; default now",
  manifest: "file that lists everything sent and how often",
  faults: "comma list of what goes wrong besides the default mix",
  "connection-max": "each connection is ended after this long; default 15m, as Wikimedia does",
} as const;

/** Reads the feed's flags. Throws `usage` naming the first bad one. */
export function feedOptionsFrom(flags: Flags, events: number | null): FeedOptions {
  const text = (name: string): string | null => textFlag(flags, name);
  const given = <T>(name: string, parse: (flag: string, value: string) => T): T | undefined => {
    const value = text(name);
    return value === null ? undefined : parse(name, value);
  };
  const parsed = feedOptionsSchema.safeParse({
    port: given("port", (flag, value) => parseWhole(flag, value, 0, 65_535)),
    rate: given("rate", parseRate),
    eventRate: given("event-rate", parseRate),
    events,
    seed: given("seed", (flag, value) => parseWhole(flag, value, 0, 0xffff_ffff)),
    startMs: given("start", parseTimeMs),
    manifestPath: text("manifest"),
    faults: text("faults")
      ?.split(",")
      .filter((fault) => fault !== ""),
    connectionMaxMs: given("connection-max", parseDurationMs),
  });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw usage(`feed option ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`);
}

/** Options of an engine as the command line gives them. */
export function engineOptionsFrom(flags: Flags, source: string | null): EngineOptions {
  const events = textFlag(flags, "events");
  const stopAfterEvents = events === null ? null : parseWhole("events", events, 1);
  return {
    dataFolder: textFlag(flags, "data"),
    source,
    feed: feedOptionsFrom(flags, stopAfterEvents),
    stopAfterEvents,
    host: createCheckoutHost(),
    version: readVersion(),
    withQuery: false,
  };
}

/** `--for`, in ms; null = without end. */
export function forMsFrom(flags: Flags): number | null {
  const text = textFlag(flags, "for");
  return text === null ? null : parseDurationMs("for", text);
}

/** The version in package.json. */
export function readVersion(root: string = PROJECT_ROOT): string {
  const value: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return typeof value === "object" && value !== null && "version" in value
    ? String(value.version)
    : "unknown";
}
