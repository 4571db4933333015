import { z } from "zod";
import type { FeedOptions } from "./worker-messages.ts";

/**
 * What the demo feed can be asked to do wrong, beyond its default mix (canaries, 2 % duplicates, 1 % late, 0.3 % malformed).
 * All are deterministic by seed, so a failing run can be repeated.
 */
export const FEED_FAULTS = {
  clean: "no default mix: no duplicates, nothing late, nothing malformed (canaries stay)",
  cut: "every connection ends inside a frame after 20 to 400 new events",
  stall: "every connection falls silent, socket open, after 20 to 400 new events",
  "429": "one connection attempt in four, the first included, is answered 429 with Retry-After: 1",
  "503": "one connection attempt in four, the second included, is answered 503 with an HTML page",
  "bad-resume": "the first of every three requests with a Last-Event-ID is answered 400",
  duplicates: "storms: runs of 200 events, each pair served six times",
  "out-of-order":
    "one event in five is up to 90 s older than its neighbours (never late at the default lateness)",
  late: "bursts: runs of 200 events that are 130 to 1,500 s older than their neighbours",
  malformed: "bursts: runs of 200 malformed events",
  drift: "from event 500 on a newer $schema and optional fields nobody knows",
  burst: "production in lumps: nothing for five seconds, then five seconds' worth at once",
  crlf: "line ends are CR LF",
  bom: "the body begins with a byte order mark",
  chunks: "frames are written in odd pieces, split inside characters and line ends",
  oversized: "event 150, and one in 50,000 after it, has 11 MiB",
  hole: "seven source offsets are never served",
  "hole-until-asked": "seven events are served to resumed connections only",
} as const satisfies Record<string, string>;

/** A name of {@link FEED_FAULTS}. */
export type FeedFault = keyof typeof FEED_FAULTS;

/** True where `name` is a fault of the demo feed. */
export function isFeedFault(name: string): name is FeedFault {
  return Object.hasOwn(FEED_FAULTS, name);
}

const faultName = z.string().refine(isFeedFault, {
  error: `unknown fault; known: ${Object.keys(FEED_FAULTS).join(", ")}`,
});

/** Most events a second the feed paces; faster is 0 (as fast as clients take it). */
const MAX_RATE = 1_000_000;

/**
 * Options of the demo feed with their defaults: any free port, 50 events a second for ever, seed 1, event time from now.
 * Wikimedia's recentchange has 33 to 40 events a second (2026); 900,000 ms is how long its CDN lets a connection live.
 */
export const feedOptionsSchema = z.object({
  port: z.int().min(0).max(65_535).default(0),
  rate: z.number().min(0).max(MAX_RATE).default(50),
  eventRate: z.number().positive().max(MAX_RATE).nullable().default(null),
  events: z.int().positive().nullable().default(null),
  seed: z.int().min(0).max(0xffff_ffff).default(1),
  startMs: z.int().min(0).max(8.64e15).nullable().default(null),
  manifestPath: z.string().min(1).nullable().default(null),
  faults: z.array(faultName).default([]),
  connectionMaxMs: z.int().positive().default(900_000),
  goOn: z
    .object({ startMs: z.int(), beganMs: z.int().nullable(), frontier: z.int().min(0) })
    .nullable()
    .default(null),
}) satisfies z.ZodType<FeedOptions>;
