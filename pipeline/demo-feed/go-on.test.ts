import { afterEach, expect, test } from "vitest";
import type { FeedOptions } from "../protocol/worker-messages.ts";
import { type DemoFeed, startDemoFeed } from "./demo-feed.ts";
import { openStream, options, type SeenFrame } from "./stream-client.test-support.ts";

const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function feed(changes: Partial<FeedOptions>): Promise<DemoFeed> {
  const started = await startDemoFeed(options({ rate: 200, startMs: null, faults: ["clean"], ...changes }));
  closers.push(started.stop);
  return started;
}

/** Reads until `isEnough`; a resume is by time, rewound to T0 as a careful client does: stamps are not sorted. */
async function read(
  url: string,
  isEnough: (frames: readonly SeenFrame[]) => boolean,
  fromMs: number | null = null,
): Promise<readonly SeenFrame[]> {
  const resume = JSON.stringify([
    { topic: "eqiad.mediawiki.recentchange", partition: 0, timestamp: fromMs ?? 0 },
  ]);
  const client = await openStream(url, fromMs === null ? {} : { "last-event-id": resume });
  closers.push(client.close);
  await client.waitFor(() => isEnough(client.frames));
  client.close();
  await client.ended;
  return client.frames;
}

/** Of the topic with the edits; canaries of the idle topic count by themselves, far below. */
const offsetsOf = (frames: readonly SeenFrame[]): number[] =>
  frames.map(({ data }) => Number(/"offset":(\d+)/.exec(data)?.[1])).filter((offset) => offset > 1e9);

test("a feed in the place of a killed one goes on with its events, and has those that came due meanwhile", async () => {
  const killed = await feed({});
  const before = await read(killed.url, (frames) => frames.length >= 60);
  const goOn = killed.stats().progress;
  await killed.stop();
  const next = await feed({ goOn, port: killed.port });
  expect(next.url).toBe(killed.url);
  // Before anybody connects: production waited for nobody, and its next step may be due a moment from now.
  await expect.poll(() => next.stats().produced).toBeGreaterThanOrEqual(killed.stats().produced);
  const newest = Math.max(...offsetsOf(before));
  const isBehind = (frames: readonly SeenFrame[]): boolean =>
    offsetsOf(frames).some((offset) => offset > newest + 20);
  const after = await read(next.url, isBehind, goOn.startMs);
  const served = new Map(before.map(({ data }) => [/"offset":(\d+)/.exec(data)?.[1], data]));
  const again = after.filter(({ data }) => served.has(/"offset":(\d+)/.exec(data)?.[1]));
  expect(again.length).toBeGreaterThanOrEqual(before.length - 2);
  // Served by both, an event has the same bytes.
  expect(again.filter(({ data }) => served.get(/"offset":(\d+)/.exec(data)?.[1]) !== data)).toEqual([]);
  const offsets = [...new Set(offsetsOf(after))].toSorted((a, b) => a - b);
  expect((offsets.at(-1) ?? 0) - (offsets[0] ?? 0) + 1).toBe(offsets.length);
});
