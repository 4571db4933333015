import { z } from "zod";
import type { GapAsk } from "../../source-contract.ts";

/** The two data centres that carry every stream (reference: one Kafka topic each, partition 0 in all recordings). */
const DATA_CENTRES = ["eqiad", "codfw"] as const;
/** An id's timestamp is the last delivered message's + 1 ms, so less than 1 ms of rewind could skip a neighbour. */
const MIN_REWIND_MS = 1;
/** Below this a number is no time in milliseconds (2001): ids with seconds have been recorded. */
const MIN_PLAUSIBLE_MS = 1_000_000_000_000;
/** The service answers with whole milliseconds of its own clock, HTTP's Date with whole seconds. */
const CLOCK_SLACK_MS = 2_000;
/** Ids of all known sources have 1 to 8 entries; longer ones are no position. */
const MAX_ENTRIES = 64;

const entrySchema = z.strictObject({
  topic: z.string().min(1).max(249),
  partition: z.int().min(0).max(100_000),
  timestamp: z.int().min(MIN_PLAUSIBLE_MS).optional(),
  offset: z.int().min(-1).optional(),
});
const idSchema = z.array(entrySchema).min(1).max(MAX_ENTRIES);

const positionSchema = z.object({
  /** Server time when the newest record came; the only hold when no id could be understood. */
  seenMs: z.int(),
  topics: z.array(
    z.strictObject({
      topic: z.string(),
      partition: z.int(),
      timestamp: z.int().optional(),
      offset: z.int().optional(),
    }),
  ),
});

type Entry = z.infer<typeof entrySchema>;
/** Stored position: the newest that is known of each topic and partition. */
export type Position = z.infer<typeof positionSchema>;

/** Reads a stored position. Null for none, and for one that this build does not understand (then `seenMs` is lost too). */
export function parsePosition(text: string | null): Position | null {
  if (text === null) return null;
  const parsed = positionSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}

/**
 * The entries of an SSE id of any era: timestamps (2018 on), offsets (2017), idle topics with offset -1.
 * Null when it is not such an id, or when an item has both (the service drops those) or neither.
 */
export function parseSourceId(id: string): readonly Entry[] | null {
  if (!id.startsWith("[") || id.length > 65_536) return null;
  const parsed = idSchema.safeParse(parseJson(id));
  if (!parsed.success) return null;
  const isExact = parsed.data.every(
    (entry) => (entry.timestamp === undefined) !== (entry.offset === undefined),
  );
  return isExact ? parsed.data : null;
}

/**
 * Adds the newest readable id of a batch. Earlier ids of the batch only hold older times, so one is enough; taking less
 * than the maximum rewinds further, which never loses. Times ahead of the server's clock are cut to it: a wrong id from
 * the future would otherwise make every later resume start at the end of the stream.
 */
export function mergePosition(text: string | null, ids: readonly string[], serverTimeMs: number): string {
  const before = parsePosition(text);
  const seenMs = Math.max(before?.seenMs ?? 0, Math.floor(serverTimeMs));
  const topics = new Map((before?.topics ?? []).map((entry) => [keyOf(entry), entry]));
  for (const entry of newestReadableId(ids)) {
    const known = topics.get(keyOf(entry));
    topics.set(keyOf(entry), newerEntry(known, entry, Math.floor(serverTimeMs) + CLOCK_SLACK_MS));
  }
  return JSON.stringify({ seenMs, topics: [...topics.values()] } satisfies Position);
}

function newestReadableId(ids: readonly string[]): readonly Entry[] {
  for (let i = ids.length - 1; i >= 0; i -= 1) {
    const entries = parseSourceId(ids[i] ?? "");
    if (entries !== null) return entries;
  }
  return [];
}

function newerEntry(known: Position["topics"][number] | undefined, entry: Entry, limitMs: number): Entry {
  const { topic, partition } = entry;
  if (entry.timestamp !== undefined) {
    const timestamp = Math.max(known?.timestamp ?? 0, Math.min(entry.timestamp, limitMs));
    return { topic, partition, timestamp };
  }
  // Offsets are valid in one Kafka cluster only, so a time that is known is never given up for an offset.
  if (known?.timestamp !== undefined) return { topic, partition, timestamp: known.timestamp };
  return { topic, partition, offset: Math.max(known?.offset ?? -1, entry.offset ?? -1) };
}

/** Every topic of the requested stream or streams (comma separated), by their full names. */
export function topicsOf(stream: string): readonly string[] {
  const names = stream.split(",").map((name) => (name.includes(".") ? name : `mediawiki.${name}`));
  return names.flatMap((name) => DATA_CENTRES.map((centre) => `${centre}.${name}`));
}

/** `Last-Event-ID` to send, with the oldest time in it; null when the position holds nothing that may be sent. */
export type ResumeId = { readonly header: string; readonly sinceMs: number | null };

/**
 * The id to resume with: every topic of the stream by name, each time rewound, idle and unknown topics at the oldest of
 * those times, never time and offset together. Asks rewind their topic further. Null without anything to hold on to.
 */
export function resumeId(
  position: Position,
  stream: string,
  rewindMs: number,
  asks: readonly GapAsk[],
): ResumeId | null {
  const names = topicsOf(stream);
  const known = position.topics.filter((entry) => names.includes(entry.topic));
  const missing = names.filter((name) => !known.some((entry) => entry.topic === name));
  const all = [...known, ...missing.map((topic): Entry => ({ topic, partition: 0, offset: -1 }))];
  const times = known.flatMap((entry) => (entry.timestamp === undefined ? [] : [entry.timestamp]));
  if (times.length === 0) return offsetsOnly(all);

  const rewind = Math.max(MIN_REWIND_MS, rewindMs);
  const idleTime = Math.min(...times) - rewind;
  const entries = all.map((entry) => {
    const own = entry.timestamp === undefined ? idleTime : entry.timestamp - rewind;
    const asked = asks.filter((ask) => ask.topic === entry.topic && ask.partition === entry.partition);
    const timestamp = Math.max(
      0,
      Math.min(own, ...(asks.length === 0 ? [] : asked.map((ask) => ask.sinceMs - rewind))),
    );
    return { topic: entry.topic, partition: entry.partition, timestamp };
  });
  return { header: JSON.stringify(entries), sinceMs: Math.min(...entries.map((entry) => entry.timestamp)) };
}

/** Ids of 2017 hold offsets only. They are exact (last + 1) in the cluster that gave them, so they go back as they are. */
function offsetsOnly(entries: readonly Entry[]): ResumeId | null {
  if (!entries.some((entry) => (entry.offset ?? -1) >= 0)) return null;
  const items = entries.map(({ topic, partition, offset }) => ({ topic, partition, offset: offset ?? -1 }));
  return { header: JSON.stringify(items), sinceMs: null };
}

/** Newest time the position holds, by topic or by when the last record came; null for none. */
export function newestTimeOf(position: Position | null): number | null {
  if (position === null) return null;
  const times = position.topics.flatMap((entry) => entry.timestamp ?? []);
  return times.length > 0 ? Math.max(...times) : position.seenMs;
}

function keyOf(entry: { readonly topic: string; readonly partition: number }): string {
  return `${entry.partition} ${entry.topic}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is an answer here: the id is stored with its record and never sent back.
    return null;
  }
}
