import { createGzip, constants } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { LogRecord, NoteBody } from "#storage/model/record.ts";
import { eventually, sseSpec, startIngest } from "./ingest-harness.test-support.ts";
import { begin, frame, idAfter, startTestFeed } from "./test-feed.test-support.ts";

const T0 = Date.now() - 60_000;
const event = (n: number): string => JSON.stringify({ n });

function notesOf(records: readonly LogRecord[]): readonly NoteBody[] {
  return records.flatMap(({ kind, data }) => (kind === "note" ? [parseNote(data)] : []));
}
function parseNote(data: Uint8Array): NoteBody {
  const note: NoteBody = JSON.parse(Buffer.from(data).toString("utf8"));
  return note;
}
function sentTimes(header: unknown): readonly { topic: string; timestamp: number }[] {
  const entries: { topic: string; timestamp: number }[] = JSON.parse(String(header));
  return entries;
}

describe("C01: a hole is asked for once", () => {
  test("by the rewound topic of the next connection, with a note before its first record, and not again", async () => {
    const codfw = "codfw.mediawiki.recentchange";
    let cut = (): void => undefined;
    const feed = await startTestFeed((connection) => {
      const response = begin(connection);
      response.write(frame(idAfter(T0 + connection.number), event(connection.number)));
      cut = () => response.end();
    });
    const ingest = startIngest(sseSpec(feed.url));
    await eventually(() => expect(ingest.texts()).toHaveLength(1));
    const ask = { topic: codfw, partition: 0, fromOffset: 102, toOffset: 104, sinceMs: T0 - 300_000 };
    ingest.loop.ask(ask);
    ingest.loop.ask(ask);
    for (const expected of [2, 3]) {
      cut();
      await eventually(() => expect(ingest.texts()).toHaveLength(expected));
    }
    expect(sentTimes(feed.requests[1]?.["last-event-id"])).toMatchObject([
      { topic: "eqiad.mediawiki.recentchange", timestamp: T0 + 2 - 10_000 },
      { topic: codfw, timestamp: T0 - 310_000 },
    ]);
    expect(sentTimes(feed.requests[2]?.["last-event-id"])).toMatchObject([
      {},
      { timestamp: T0 + 3 - 10_000 },
    ]);
    const records = ingest.records();
    expect(notesOf(records)).toEqual([
      { note: "gap-asked", topic: codfw, partition: 0, fromOffset: 102, toOffset: 104 },
    ]);
    const note = records.findIndex(({ kind }) => kind === "note");
    expect(records.slice(0, note).filter(({ kind }) => kind === "event")).toHaveLength(1);
  });

  test("and not at all when it lies beyond the dedup horizon", async () => {
    let cut = (): void => undefined;
    const feed = await startTestFeed((connection) => {
      const response = begin(connection);
      response.write(frame(idAfter(T0), event(connection.number)));
      cut = () => response.end();
    });
    const ingest = startIngest(sseSpec(feed.url));
    await eventually(() => expect(ingest.texts()).toHaveLength(1));
    ingest.loop.ask({
      topic: "eqiad.mediawiki.recentchange",
      partition: 0,
      fromOffset: 1,
      toOffset: 2,
      sinceMs: T0 - 3_600_000,
    });
    cut();
    await eventually(() => expect(ingest.texts()).toHaveLength(2));
    expect(sentTimes(feed.requests[1]?.["last-event-id"])).toMatchObject([
      { timestamp: T0 + 1 - 10_000 },
      {},
    ]);
    expect(notesOf(ingest.records())).toEqual([]);
    expect(ingest.lines.join("\n")).toContain("beyond the dedup horizon");
  });
});

describe("C02: the neighbour stamped 1 ms earlier is not skipped", () => {
  const script = [
    [500, T0],
    [501, T0 - 1],
    [502, T0 + 10],
  ] as const;
  for (const [resumer, isRestarted] of [
    ["the same ingest", false],
    ["a new ingest on the same log", true],
  ] as const) {
    test(`when ${resumer} resumes`, async () => {
      const feed = await startTestFeed((connection) => {
        const response = begin(connection);
        const header = connection.request.headers["last-event-id"];
        const since =
          header === undefined ? 0 : Math.min(...sentTimes(header).map(({ timestamp }) => timestamp));
        for (const [n, at] of script) {
          if ((connection.number > 1 || n === 500) && since <= at)
            response.write(frame(idAfter(at), event(n)));
        }
        if (connection.number === 1 && !isRestarted) response.end();
      });
      const first = startIngest(sseSpec(feed.url));
      await eventually(() => expect(first.texts()).toContain(event(500)));
      let ingest = first;
      if (isRestarted) {
        await first.stop();
        ingest = startIngest(sseSpec(feed.url), { folder: first.folder });
      }
      await eventually(() => expect(ingest.texts()).toEqual([500, 500, 501, 502].map(event)));
    });
  }
});

describe("C03: something on the way compresses", () => {
  const gzipped = (flush: number) => (connection: Parameters<typeof begin>[0]) => {
    const { response } = connection;
    response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
    response.flushHeaders();
    const zip = createGzip({ flush });
    zip.pipe(response);
    for (let n = 1; n < 50; n += 1) zip.write(frame(idAfter(T0 + n), event(n)));
  };

  test("the request asks for identity; a compressed answer that is flushed is undone, no compressed byte is kept", async () => {
    const feed = await startTestFeed(gzipped(constants.Z_SYNC_FLUSH));
    const ingest = startIngest(sseSpec(feed.url));
    await eventually(() =>
      expect(ingest.texts()).toEqual(Array.from({ length: 49 }, (_, i) => event(i + 1))),
    );
    expect(feed.requests[0]?.["accept-encoding"]).toBe("identity");
  });

  test("an answer of which no byte ever arrives is open but never green, and is given up at the idle limit", async () => {
    const feed = await startTestFeed(gzipped(constants.Z_NO_FLUSH));
    const ingest = startIngest(sseSpec(feed.url), { ingest: { idleTimeoutMs: 300 } });
    const seen = new Set<string>();
    await eventually(() => {
      seen.add(JSON.stringify(ingest.loop.telemetry().connection));
      expect(feed.requests.length).toBeGreaterThan(2);
    });
    const states = [...seen].join("\n");
    expect(states).toContain('"receiving":false');
    expect(states).not.toContain('"receiving":true');
    expect(states).toContain("Nothing was received");
  });

  test("a coding that cannot be undone is refused by its name", async () => {
    const feed = await startTestFeed((connection) => begin(connection, { "content-encoding": "x-secret" }));
    const ingest = startIngest(sseSpec(feed.url));
    await eventually(() =>
      expect(ingest.loop.telemetry().connection).toMatchObject({
        state: "failed",
        reason: expect.stringContaining("x-secret"),
      }),
    );
    expect(ingest.texts()).toEqual([]);
  });
});

describe("C07: an open but dead socket", () => {
  test("is not green within the idle limit, the reconnect that hangs before its status line times out too, and nothing is lost", async () => {
    const feed = await startTestFeed((connection) => {
      // The first goes silent after a record, two more accept and never answer, the fourth works again.
      if (connection.number === 2 || connection.number === 3) return;
      const response = begin(connection);
      for (let n = 1; n <= connection.number; n += 1) response.write(frame(idAfter(T0 + n), event(n)));
    });
    const ingest = startIngest(sseSpec(feed.url), { ingest: { idleTimeoutMs: 250, connectTimeoutMs: 250 } });
    const reasons = new Set<string>();
    await eventually(() => {
      const { connection } = ingest.loop.telemetry();
      if (connection.state === "backing-off") reasons.add(connection.reason);
      expect(new Set(ingest.texts())).toEqual(new Set([1, 2, 3, 4].map(event)));
    });
    expect([...reasons].join("\n")).toContain("Nothing was received");
    expect([...reasons].join("\n")).toContain("did not answer");
    expect(feed.mostAtOnce()).toBe(1);
  });
});

describe("answers that are no stream", () => {
  const poison = frame(idAfter(T0), event(666));
  for (const [status, state] of [
    [400, "failed"],
    [403, "failed"],
    [404, "failed"],
    [500, "backing-off"],
    [429, "backing-off"],
  ] as const) {
    test(`the body of a ${status} is never read as events; the state is ${state}`, async () => {
      const feed = await startTestFeed(({ response }) => {
        response.writeHead(status, { "content-type": "text/event-stream", "retry-after": "3600" });
        response.end(poison);
      });
      const ingest = startIngest(sseSpec(feed.url));
      await eventually(() => expect(ingest.loop.telemetry().connection.state).toBe(state));
      expect(ingest.texts()).toEqual([]);
      expect(feed.requests).toHaveLength(1);
      const { connection } = ingest.loop.telemetry();
      const waitMs = connection.state === "backing-off" ? connection.untilMs - Date.now() : Infinity;
      expect(waitMs).toBeGreaterThan(3_000_000);
    });
  }

  test("an answer of another type is never read as events and is tried again", async () => {
    const feed = await startTestFeed(({ response }) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(poison);
    });
    const ingest = startIngest(sseSpec(feed.url));
    await eventually(() => expect(feed.requests.length).toBeGreaterThan(1));
    expect(ingest.texts()).toEqual([]);
    expect(ingest.lines.join("\n")).toContain("text/html");
  });

  test("a redirect to another host is refused by name, and neither cursor nor contact goes there", async () => {
    const elsewhere = await startTestFeed((connection) => begin(connection));
    const feed = await startTestFeed(({ response }) => {
      response.writeHead(307, { location: elsewhere.url });
      response.end();
    });
    const ingest = startIngest(sseSpec(feed.url));
    await eventually(() =>
      expect(ingest.loop.telemetry().connection).toMatchObject({
        state: "failed",
        reason: expect.stringContaining(elsewhere.url),
      }),
    );
    expect(elsewhere.requests).toEqual([]);
  });

  test("a redirect on the same host is followed with the same headers", async () => {
    const feed = await startTestFeed((connection) => {
      if (connection.request.url?.endsWith("/moved") === true) {
        begin(connection).write(frame(idAfter(T0), event(1)));
        return;
      }
      connection.response.writeHead(301, { location: "/moved" });
      connection.response.end();
    });
    const ingest = startIngest(sseSpec(feed.url), { ingest: { userAgentContact: "ops@example.org" } });
    await eventually(() => expect(ingest.texts()).toEqual([event(1)]));
    expect(feed.requests.at(-1)?.["user-agent"]).toMatch(/^Highwater\/\S+ \(ops@example\.org\) node\//);
  });
});

test("a refused position is replaced by a time with a margin, with a note in the log, and the next connection uses ids again", async () => {
  let cut = (): void => undefined;
  const feed = await startTestFeed((connection) => {
    if (connection.request.headers["last-event-id"] !== undefined && connection.number === 2) {
      connection.response.writeHead(400, { "content-type": "application/json" });
      connection.response.end('{"type":"bad"}');
      return;
    }
    const response = begin(connection);
    response.write(frame(idAfter(T0 + connection.number), event(connection.number)));
    cut = () => response.end();
  });
  const ingest = startIngest(sseSpec(feed.url));
  await eventually(() => expect(ingest.texts()).toHaveLength(1));
  cut();
  await eventually(() => expect(ingest.texts()).toHaveLength(2));
  const since = new URL(feed.paths[2] ?? "", feed.url).searchParams.get("since");
  expect(Date.parse(since ?? "")).toBe(T0 + 2 - 10_000 - 120_000);
  expect(feed.requests[2]?.["last-event-id"]).toBeUndefined();
  expect(notesOf(ingest.records())).toMatchObject([
    { note: "resume-refused", status: 400, sinceMs: T0 + 2 - 130_000 },
  ]);
  cut();
  await eventually(() => expect(ingest.texts()).toHaveLength(3));
  expect(feed.requests[3]?.["last-event-id"]).toBeDefined();
});

test("C11: an id with seconds, time and offset together is stored with its record and never sent back", async () => {
  const odd = '[{"topic":"eqiad.mediawiki.recentchange","partition":0,"timestamp":1780000000,"offset":7}]';
  let cut = (): void => undefined;
  const feed = await startTestFeed((connection) => {
    const response = begin(connection);
    response.write(frame(odd, event(connection.number)));
    cut = () => response.end();
  });
  const ingest = startIngest(sseSpec(feed.url));
  await eventually(() => expect(ingest.texts()).toHaveLength(1));
  cut();
  await eventually(() => expect(ingest.texts()).toHaveLength(2));
  expect(ingest.records().find(({ kind }) => kind === "event")?.sourceId).toBe(odd);
  expect(feed.requests[1]?.["last-event-id"]).toBeUndefined();
  expect(feed.paths[1]).toContain("since=");
});

test("a feed that cuts every connection before the rewind is read through is still read to its end", async () => {
  const total = 400;
  const times = Array.from({ length: total }, (_, n) => T0 - 10_000 + n * 20);
  const feed = await startTestFeed((connection) => {
    const header = connection.request.headers["last-event-id"];
    const since = header === undefined ? 0 : Math.min(...sentTimes(header).map(({ timestamp }) => timestamp));
    const start = Math.max(
      0,
      times.findIndex((at) => at >= since),
    );
    const response = begin(connection);
    // 40 records are 0.8 s of this feed; the rewind is 5 s.
    for (let n = start; n < Math.min(total, start + 40); n += 1)
      response.write(frame(idAfter(times[n] ?? 0), event(n)));
    response.end();
  });
  const ingest = startIngest(sseSpec(feed.url), { ingest: { resumeRewindMs: 5_000 } });
  await eventually(() => expect(new Set(ingest.texts()).size).toBe(total));
});
