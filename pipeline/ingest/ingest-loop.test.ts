import { join } from "node:path";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { toOffset } from "#storage/model/brand.ts";
import { eventually, settingsWith, sseSpec, startIngest, FAST } from "./ingest-harness.test-support.ts";
import { begin, frame, idAfter, startTestFeed, type TestFeed } from "./test-feed.test-support.ts";

const T0 = Date.now() - 600_000;

/** One more record whenever asked for, on the newest connection. */
async function startSteppedFeed(): Promise<{ feed: TestFeed; next: (count?: number) => void }> {
  let n = 0;
  let write = (_chunk: Buffer): void => undefined;
  const feed = await startTestFeed((connection) => {
    const response = begin(connection, { date: new Date(Date.now() - 90_000).toUTCString() });
    write = (chunk) => void response.write(chunk);
  });
  const next = (count = 1): void => {
    for (let i = 0; i < count; i += 1) {
      n += 1;
      write(frame(idAfter(T0 + n), String(n)));
    }
  };
  return { feed, next };
}

test("settings that decide results take effect at an offset behind every record taken before them", async () => {
  const { feed, next } = await startSteppedFeed();
  const ingest = startIngest(sseSpec(feed.url), { ingest: { groupCommitMs: 10_000 } });
  await eventually(() => expect(feed.requests).toHaveLength(1));
  next();
  await eventually(() => expect(ingest.loop.telemetry().bufferedBytes).toBeGreaterThan(0));
  const wish = settingsWith(FAST);
  ingest.loop.applySettings({ ...wish, result: { ...wish.result, allowedLatenessMs: 10_000 } });
  next();
  await eventually(() => expect(ingest.texts()).toEqual(["1", "2"]));
  expect(ingest.records().map(({ kind }) => kind)).toEqual(["settings", "event", "settings", "event"]);
  expect(ingest.writer.settings().allowedLatenessMs).toBe(10_000);
  ingest.loop.applySettings({ ...wish, result: { ...wish.result, allowedLatenessMs: 10_000 } });
  expect(ingest.records()).toHaveLength(4);
});

test("a pause closes the connection, a resume opens one that goes on from the rewound cursor", async () => {
  const { feed, next } = await startSteppedFeed();
  const ingest = startIngest(sseSpec(feed.url));
  await eventually(() => expect(feed.requests).toHaveLength(1));
  next();
  await eventually(() => expect(ingest.texts()).toEqual(["1"]));
  ingest.loop.pause();
  expect(ingest.loop.telemetry().connection.state).toBe("paused");
  ingest.loop.resume();
  await eventually(() => expect(feed.requests).toHaveLength(2));
  next();
  await eventually(() => expect(ingest.texts()).toEqual(["1", "2"]));
  expect(feed.requests[1]?.["last-event-id"]).toContain(String(T0 + 2 - 10_000));
  expect(feed.mostAtOnce()).toBe(1);
});

test("ten clicks on pause and resume leave one connection", async () => {
  const { feed, next } = await startSteppedFeed();
  const ingest = startIngest(sseSpec(feed.url));
  for (let i = 0; i < 10; i += 1) {
    ingest.loop.pause();
    ingest.loop.resume();
  }
  await eventually(() => expect(ingest.loop.telemetry().connection).toMatchObject({ state: "open" }));
  next();
  await eventually(() => expect(ingest.texts()).toEqual(["1"]));
  expect(feed.mostAtOnce()).toBeLessThanOrEqual(2);
});

test("the source's clock goes with every record as its distance from ours", async () => {
  const { feed, next } = await startSteppedFeed();
  const ingest = startIngest(sseSpec(feed.url));
  await eventually(() => expect(feed.requests).toHaveLength(1));
  next();
  await eventually(() => expect(ingest.texts()).toEqual(["1"]));
  const offset = ingest.records().find(({ kind }) => kind === "event")?.serverOffsetMs ?? 0;
  expect(offset).toBeLessThan(-85_000);
  expect(offset).toBeGreaterThan(-105_000);
});

test("cut and empty frames are counted in the log itself, also when no record follows", async () => {
  const feed = await startTestFeed((connection) => {
    const response = begin(connection);
    if (connection.number > 1) return;
    response.write("event: message\n\nid: 5\n\n");
    response.end("event: message\nid: 6\ndata: {");
  });
  const ingest = startIngest(sseSpec(feed.url));
  await eventually(() =>
    expect(ingest.writer.counters()).toMatchObject({ cutFrames: 1, emptyFrames: 2, connections: 2 }),
  );
});

test("segments behind the seal point go, the newest and those not sealed stay", async () => {
  const { feed, next } = await startSteppedFeed();
  const ingest = startIngest(sseSpec(feed.url), { ingest: { segmentMaxAgeMs: 1_000, logKeepMs: 0 } });
  await eventually(() => expect(feed.requests).toHaveLength(1));
  next();
  await eventually(() => expect(ingest.texts()).toEqual(["1"]));
  // The segment ages by the wall clock; the next record then begins a new one.
  await eventually(() => {
    next();
    expect(ingest.records().filter(({ kind }) => kind === "settings").length).toBeGreaterThan(1);
  });
  ingest.loop.applySealed(toOffset(1));
  const second = ingest.records().findLast(({ kind }) => kind === "settings")?.offset ?? 0;
  ingest.loop.applySealed(toOffset(second - 1));
  await eventually(() => expect(ingest.lines.join()).toContain("removed a segment"));
  // Exactly those before `second` are gone; the clock may have begun another one meanwhile.
  const kept = readdirSync(join(ingest.folder, "log")).filter((name) => name.endsWith(".sqlite"));
  expect(Math.min(...kept.map((name) => Number.parseInt(name, 10)))).toBe(second);
  expect(ingest.records).toThrow(expect.objectContaining({ code: "log-gone" }));
  expect(ingest.writer.head()).toBeGreaterThanOrEqual(second);
});
