import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EventSource } from "eventsource";
import { afterEach, expect, test } from "vitest";
import { type DemoFeed, type DemoFeedTuning, startDemoFeed } from "./demo-feed.ts";
import type { FeedOptions } from "../protocol/worker-messages.ts";
import { type ManifestEntry, parseManifest } from "./manifest/manifest-format.ts";
import { openStream, options, type SeenFrame, type StreamClient } from "./stream-client.test-support.ts";

const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function feed(changes: Partial<FeedOptions> = {}, tuning: DemoFeedTuning = {}): Promise<DemoFeed> {
  const started = await startDemoFeed(options(changes), tuning);
  closers.push(started.stop);
  return started;
}

async function connect(url: string, headers: Record<string, string> = {}): Promise<StreamClient> {
  const client = await openStream(url, headers);
  closers.push(client.close);
  return client;
}

function served(timestamp: number): string {
  return JSON.stringify([{ topic: "eqiad.mediawiki.recentchange", partition: 0, timestamp }]);
}

function idsOf(frames: readonly SeenFrame[]): string[] {
  return frames.map((frame) => /"id":"([0-9a-f-]{36})"/.exec(frame.data)?.[1] ?? frame.data);
}

test.each([{ faults: [] }, { faults: ["chunks", "crlf", "bom"] }])(
  "the stock eventsource package reads every event with $faults",
  async ({ faults }) => {
    const { url } = await feed({ events: 400, faults: ["clean", ...faults] });
    const source = new EventSource(url);
    closers.push(() => source.close());
    const ids = new Set<string>();
    await new Promise<void>((resolve, reject) => {
      source.onerror = (error) => reject(new Error(error.message));
      source.onmessage = (message: { data: string; lastEventId: string }) => {
        const event = JSON.parse(message.data) as { meta: { id: string; domain: string } };
        expect(JSON.parse(message.lastEventId)).toHaveLength(2);
        if (event.meta.domain !== "canary") ids.add(event.meta.id);
        if (ids.size === 400) resolve();
      };
    });
    expect(ids.size).toBe(400);
  },
);

test("frames begin with :ok, then event, id, data; ids are the topic's arrival + 1 ms, and -1 for the idle topic until its canary", async () => {
  const { url } = await feed({ events: 100, faults: ["clean"] });
  const client = await connect(url, { accept: "text/event-stream" });
  await client.waitFor(() => client.frames.length >= 102);
  expect(client.status).toBe(200);
  expect(client.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  expect(client.headers["access-control-allow-origin"]).toBe("*");
  expect(client.text()).toMatch(/^:ok\n\nevent: message\nid: \[.*\]\ndata: \{/);
  const [first] = client.frames;
  const event = JSON.parse(first?.data ?? "") as { meta: { dt: string; offset: number } };
  expect(JSON.parse(first?.id ?? "")).toEqual([
    { topic: "eqiad.mediawiki.recentchange", partition: 0, timestamp: Date.parse(event.meta.dt) + 1 },
    { topic: "codfw.mediawiki.recentchange", partition: 0, offset: -1 },
  ]);
  const last = JSON.parse(client.frames.at(-1)?.id ?? "") as { timestamp?: number }[];
  expect(last[1]?.timestamp).toBeTypeOf("number");
  const canaries = client.frames
    .map((frame) => JSON.parse(frame.data) as { meta: { domain: string } })
    .filter((each) => each.meta.domain === "canary");
  expect(canaries.map((each) => Object.keys(each))).toEqual([
    ["$schema", "meta"],
    ["$schema", "meta"],
  ]);
});

test.each([
  ["an unknown stream", "/v2/stream/nonsense", {}, 400, /not_found/],
  ["a composite with an unknown stream", "/v2/stream/recentchange,nonsense", {}, 400, /nonsense/],
  ["an unknown route", "/v3/nothing", {}, 404, /not_found/],
  ["an unreadable since", "/v2/stream/recentchange?since=yesterdayish", {}, 400, /invalid_timestamp/],
  ["a Last-Event-ID that is no JSON", "/v2/stream/recentchange", { "last-event-id": "abc" }, 400, /KafkaSSE/],
  ["an empty Last-Event-ID list", "/v2/stream/recentchange", { "last-event-id": "[]" }, 400, /non-empty/],
  [
    "an item without a position",
    "/v2/stream/recentchange",
    { "last-event-id": '[{"topic":"eqiad.mediawiki.recentchange","partition":0}]' },
    400,
    /timestamp/,
  ],
  [
    "an offset that is no integer",
    "/v2/stream/recentchange",
    { "last-event-id": '[{"topic":"eqiad.mediawiki.recentchange","partition":0,"offset":"5"}]' },
    400,
    /offset/,
  ],
  [
    "a topic of another stream",
    "/v2/stream/recentchange",
    { "last-event-id": '["eqiad.mediawiki.page-create"]' },
    404,
    /availableTopics/,
  ],
] as const)("refuses %s with a JSON body", async (_title, path, headers, status, body) => {
  const { port } = await feed({ events: 10 });
  const client = await connect(`http://127.0.0.1:${port}${path}`, headers);
  await client.ended;
  expect(client.status).toBe(status);
  expect(client.headers["content-type"]).toMatch(/json/);
  expect(client.text()).toMatch(body);
  expect(() => JSON.parse(client.text()) as unknown).not.toThrow();
});

test("refuses a request without User-Agent with an HTML page", async () => {
  const { url } = await feed({ events: 10 });
  const { request } = await import("node:http");
  const answer = await new Promise<{ status: number; type: string }>((resolve, reject) => {
    request(url, { agent: false }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, type: response.headers["content-type"] ?? "" });
    })
      .on("error", reject)
      .end();
  });
  expect(answer).toEqual({ status: 403, type: "text/html; charset=utf-8" });
});

test("answers the third connection of a client with 429, and lets it in when one has gone", async () => {
  const { url, stats } = await feed({ events: 10 });
  const one = await connect(url);
  await connect(url);
  expect((await connect(url)).status).toBe(429);
  one.close();
  await expect.poll(() => stats().clients).toBe(1);
  expect((await connect(url)).status).toBe(200);
});

test("speaks newline-delimited JSON to who accepts application/json, and drops the charset for who accepts nothing", async () => {
  const { url } = await feed({ events: 5, faults: ["clean"] }, { newClients: "everything" });
  const lines = await connect(url, { accept: "application/json" });
  await lines.waitFor(() => lines.text().split("\n").length >= 7);
  const [first, second] = lines.text().split("\n");
  expect(first).toBe("");
  expect(JSON.parse(second ?? "")).toHaveProperty("meta.offset");
  expect((await connect(url)).headers["content-type"]).toBe("text/event-stream");
});

test("Last-Event-ID replaces since and topics, resumes in log order from the first stamp at or after it, by offset exactly", async () => {
  const { url } = await feed(
    { events: 2000, faults: ["clean"], eventRate: 40 },
    { maxConnectionsPerClient: 9 },
  );
  const all = await connect(url);
  await all.waitFor(() => all.frames.length >= 2000);
  const events = all.frames.map(
    (frame) => JSON.parse(frame.data) as { meta: { dt: string; topic: string; offset: number; id: string } },
  );
  const main = events.filter((event) => event.meta.topic.startsWith("eqiad"));
  const timestamp = Date.parse(main[800]?.meta.dt ?? "");
  const from = main.findIndex((event) => Date.parse(event.meta.dt) >= timestamp);

  const resumed = await connect(`${url}?since=2099-01-01`, { "last-event-id": served(timestamp) });
  await resumed.waitFor(() => resumed.frames.length >= 1000);
  expect(idsOf(resumed.frames).slice(0, 1000)).toEqual(
    main.slice(from, from + 1000).map((event) => event.meta.id),
  );
  expect(JSON.parse(resumed.frames[0]?.id ?? "")).toHaveLength(1);

  const since = await connect(`${url}?since=${new Date(timestamp).toISOString()}`);
  await since.waitFor(() => since.frames.length > 5);
  expect(idsOf(since.frames)[0]).toBe(main[from]?.meta.id);

  const offset = main[900]?.meta.offset;
  const exact = await connect(url, {
    "last-event-id": JSON.stringify([{ topic: "eqiad.mediawiki.recentchange", partition: 0, offset }]),
  });
  await exact.waitFor(() => exact.frames.length > 5);
  expect(idsOf(exact.frames)[0]).toBe(main[900]?.meta.id);
});

test("a pair now and then is served A B A B with the same bytes", async () => {
  const { url } = await feed({ events: 3000 });
  const client = await connect(url);
  await client.waitFor(() => new Set(client.frames.map((frame) => frame.data)).size >= 3000);
  const texts = client.frames.map((frame) => frame.data);
  const again = texts.flatMap((text, i) =>
    i > 3 && texts[i - 2] === text && texts[i - 3] === texts[i - 1] ? [i] : [],
  );
  expect(again.length).toBeGreaterThan(10);
  expect((texts.length - new Set(texts).size) / 3000).toBeGreaterThan(0.01);
});

test("a client that comes later begins at the live end, and production waits for nobody", async () => {
  const { url, stats } = await feed({ rate: 2000, startMs: null, faults: ["clean"] });
  const first = await connect(url);
  await first.waitFor(() => first.frames.length > 0);
  first.close();
  await expect.poll(() => stats().produced, { timeout: 10_000 }).toBeGreaterThan(400);
  const before = stats().produced;
  const late = await connect(url);
  await late.waitFor(() => late.frames.length > 0);
  expect(idsOf(late.frames)[0]).not.toBe(idsOf(first.frames)[0]);
  expect(new Set(idsOf(first.frames)).has(idsOf(late.frames)[0] ?? "")).toBe(false);
  expect(stats().produced).toBeGreaterThan(before);
});

test("the manifest says what a client saw across forced cuts, id by id and how often", async () => {
  const folder = await mkdtemp(join(tmpdir(), "demo-feed-"));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const manifestPath = join(folder, "manifest.ndjson");
  const source = await feed(
    { events: 3000, eventRate: 40, manifestPath, faults: ["cut", "429", "503"] },
    { canaryIntervalMs: 20_000 },
  );
  const seen = new Map<string, number>();
  let lastId: string | null = null;
  let distinct = 0;
  let total = 0;
  let connections = 0;
  while (distinct < 3000 || total < source.stats().sent) {
    const client: StreamClient = await connect(
      source.url,
      lastId === null ? {} : { "last-event-id": lastId },
    );
    connections += 1;
    let read = 0;
    const isDone = (): boolean => {
      for (const frame of client.frames.slice(read)) {
        const key = createHash("sha256").update(frame.data).digest("hex");
        if (!seen.has(key) && !frame.data.includes('"domain":"canary"')) distinct += 1;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      total += client.frames.length - read;
      read = client.frames.length;
      return distinct === 3000 && total === source.stats().sent;
    };
    // A cut ends the wait: the loop resumes from the last whole frame.
    await client.waitFor(isDone).catch(() => undefined);
    lastId = rewound(client.frames.at(-1)?.id ?? null) ?? lastId;
    client.close();
    await client.ended;
  }
  expect(connections).toBeGreaterThan(8);
  await source.stop();
  const manifest = await parseManifest(manifestPath);
  expect(manifest.header).toMatchObject({ complete: true, produced: 3000, distinctServed: 3000 });
  const entries: ManifestEntry[] = [];
  for await (const entry of manifest.entries()) entries.push(entry);
  expect(entries.filter((entry) => entry.class !== "canary")).toHaveLength(3000);
  const counted = new Map(
    entries.filter((entry) => entry.served > 0).map((entry) => [entry.sha256, entry.served]),
  );
  expect(counted).toEqual(seen);
});

function rewound(id: string | null): string | null {
  if (id === null) return null;
  const items = JSON.parse(id) as { topic: string; timestamp?: number }[];
  const timestamp = Math.min(...items.map((item) => item.timestamp ?? Number.POSITIVE_INFINITY)) - 2000;
  return JSON.stringify(items.map(({ topic }) => ({ topic, partition: 0, timestamp })));
}

test("a client that does not read costs one batch: production goes on, sending stops", async () => {
  const { url, stats } = await feed({ events: 1_000_000 });
  const slow = await connect(url);
  slow.response.pause();
  let before = -1;
  await expect
    .poll(
      () => {
        const now = stats().sent;
        const isStill = now === before;
        before = now;
        return isStill;
      },
      { interval: 200, timeout: 10_000 },
    )
    .toBe(true);
  // What fits into the sockets' own buffers, a few MB at 1.1 kB each.
  expect(stats().sent).toBeLessThan(20_000);
});

test("ends a connection inside a frame when its time is over, and refuses an unknown fault", async () => {
  const { url } = await feed({ events: 1_000_000, connectionMaxMs: 50 });
  const client = await connect(url);
  await client.ended;
  expect(client.frames.length).toBeGreaterThan(0);
  await expect(startDemoFeed({ ...options(), faults: ["nonsense"] })).rejects.toThrow(/unknown fault/);
});

test("stalls, refuses a resume, hides a hole until asked, each where its fault is on", async () => {
  const stalling = await feed({ events: 5000, faults: ["stall"] });
  const client = await connect(stalling.url);
  await expect.poll(() => client.frames.length).toBeGreaterThan(19);
  expect(client.frames.length).toBeLessThan(600);

  const { url } = await feed(
    { events: 1000, faults: ["clean", "bad-resume", "hole-until-asked"] },
    { maxConnectionsPerClient: 9 },
  );
  const blind = await connect(url);
  await blind.waitFor(() => blind.frames.length >= 995);
  expect((await connect(url, { "last-event-id": served(0) })).status).toBe(400);
  const asking = await connect(url, { "last-event-id": served(0) });
  await asking.waitFor(() => asking.frames.length >= 1001);
  const missing = idsOf(asking.frames).filter((id) => !idsOf(blind.frames).includes(id));
  expect(missing).toHaveLength(7);
});
