import { createHash } from "node:crypto";
import { once } from "node:events";
import { expect, test } from "vitest";
import { eventually, sseSpec, startIngest } from "./ingest-harness.test-support.ts";
import { begin, frame, idAfter, startTestFeed } from "./test-feed.test-support.ts";

/** 25 MB, above the cap of 10 MiB. */
const HUGE = Buffer.alloc(25_000_000, "h");

/** Kinds of poison that have broken parsers; none may contain a line end, which would be a frame of its own. */
const POISON: readonly ((n: number) => Buffer)[] = [
  (n) =>
    Buffer.concat([
      Buffer.from(`{"n":${n},"t":"`),
      Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xf0, 0x9f]),
      Buffer.from('"}'),
    ]),
  (n) => Buffer.from(`{"n":${n},"half":`),
  (n) => Buffer.from("[".repeat(20_000 + n)),
  (n) => Buffer.from(`{"n":${n},"nul":"\0\0"}`),
  (n) =>
    Buffer.concat([
      Buffer.from(`{"n":${n},"s":"`),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('\\ud800"}'),
    ]),
  (n) => Buffer.from(`{"__proto__":{"n":${n}},"constructor":{"prototype":{"x":1}}}`),
  (n) => Buffer.from(`{"n":${n},"n":1e999,"n":123456789012345678901234567890}`),
  (n) => Buffer.from(`\uFEFF<script>${n}</script>\u202E`),
  (n) => Buffer.from(` ${n}`),
];

test("1,000 hostile frames are all in the log, each byte as it was sent, and good ones behind them too", async () => {
  const frames = Array.from({ length: 1_000 }, (_, n) =>
    n === 500 ? HUGE : (POISON[n % POISON.length]?.(n) ?? HUGE),
  );
  const feed = await startTestFeed((connection) => {
    const response = begin(connection);
    const play = async (): Promise<void> => {
      for (const [n, data] of [...frames, Buffer.from("good")].entries()) {
        if (!response.write(frame(idAfter(Date.now() - 1_000 + n), data))) await once(response, "drain");
      }
    };
    play().catch(() => response.destroy());
  });
  const ingest = startIngest(sseSpec(feed.url));
  await eventually(() => expect(ingest.loop.telemetry().appended).toBeGreaterThanOrEqual(1_002));
  const kept = ingest.records().filter(({ kind }) => kind !== "settings");
  expect(kept).toHaveLength(1_001);
  for (const [n, sent] of frames.entries()) {
    const record = kept[n];
    const data = Buffer.from(record?.data ?? []);
    const whole = n === 500 ? sent.subarray(0, 1_048_576) : sent;
    expect(data.equals(whole), `frame ${n}`).toBe(true);
    expect(record?.kind).toBe(n === 500 ? "oversized" : "event");
  }
  const sha256 = createHash("sha256").update(HUGE).digest("hex");
  expect(JSON.parse(kept[500]?.detail ?? "")).toEqual({ lengthBytes: 25_000_000, sha256 });
  expect(feed.requests).toHaveLength(1);
});
