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

async function read(url: string, count: number, resume?: string): Promise<readonly SeenFrame[]> {
  const client = await openStream(url, resume === undefined ? {} : { "last-event-id": resume });
  closers.push(client.close);
  await client.waitFor(() => client.frames.length >= count);
  client.close();
  await client.ended;
  return client.frames;
}

/** Of the topic with the edits; canaries of the idle topic count by themselves, far below. */
const offsetsOf = (frames: readonly SeenFrame[]): number[] =>
  frames.map(({ data }) => Number(/"offset":(\d+)/.exec(data)?.[1])).filter((offset) => offset > 1e9);

test("a feed in the place of a killed one goes on with its events, and has those that came due meanwhile", async () => {
  const killed = await feed({});
  const before = await read(killed.url, 60);
  const goOn = killed.stats().progress;
  await killed.stop();
  const next = await feed({ goOn, port: killed.port });
  expect(next.url).toBe(killed.url);
  const last = before.at(-1);
  const after = await read(next.url, 40, last?.id);
  // Where both served an event, its bytes are the same ones.
  const served = new Map(before.map(({ data }) => [/"id":"([^"]+)"/.exec(data)?.[1], data]));
  const changed = after.filter(({ data }) => {
    const earlier = served.get(/"id":"([^"]+)"/.exec(data)?.[1]);
    return earlier !== undefined && earlier !== data;
  });
  expect(changed).toEqual([]);
  // No source offset between the two connections is missing: what was produced while nobody listened is there.
  const offsets = [...new Set([...offsetsOf(before), ...offsetsOf(after)])].toSorted((a, b) => a - b);
  expect((offsets.at(-1) ?? 0) - (offsets[0] ?? 0) + 1).toBe(offsets.length);
  expect(Math.max(...offsetsOf(after))).toBeGreaterThan(Math.max(...offsetsOf(before)));
});
