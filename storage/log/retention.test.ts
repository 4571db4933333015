import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toOffset } from "../model/brand.ts";
import { events, LogFixture, readAll } from "./log-fixture.test-support.ts";
import type { KeptSegment } from "./retention.ts";
import { planRetention } from "./retention.ts";

const segment = (from: number, to: number, bytes: number, lastReceivedMs: number): KeptSegment => ({
  path: `${from}`,
  fromOffset: toOffset(from),
  toOffset: toOffset(to),
  bytes,
  lastReceivedMs,
});
const closed = [segment(1, 10, 100, 1_000), segment(11, 20, 100, 2_000), segment(21, 30, 100, 3_000)];
const plan = (keepFrom: number, keepMs: number, keepBytes: number): readonly string[] =>
  planRetention(closed, 50, { keepFrom: toOffset(keepFrom), keepMs, keepBytes, nowMs: 3_500 }).map(
    ({ path }) => path,
  );

describe("planRetention", () => {
  test("removes what is old, from the oldest on", () => {
    expect(plan(100, 1_000, 1e9)).toEqual(["1", "11"]);
    expect(plan(100, 1_500, 1e9)).toEqual(["1"]);
    expect(plan(100, 1e9, 1e9)).toEqual([]);
  });

  test("removes what is beyond the size, and no more than that", () => {
    expect(plan(100, 1e9, 250)).toEqual(["1"]);
    expect(plan(100, 1e9, 249)).toEqual(["1", "11"]);
    expect(plan(100, 1e9, 0)).toEqual(["1", "11", "21"]);
  });

  test("keeps every segment that reaches the seal point or a lease, however old and large", () => {
    expect(plan(10, 0, 0)).toEqual([]);
    expect(plan(11, 0, 0)).toEqual(["1"]);
    expect(plan(25, 0, 0)).toEqual(["1", "11"]);
  });
});

describe("retention of a log", () => {
  let log: LogFixture;
  beforeEach(() => {
    log = new LogFixture();
  });
  afterEach(() => {
    log.dispose();
  });

  test("unlinks whole segments with their side files, never the newest, and the tail moves", () => {
    const writer = log.writer({ limits: { segmentMaxBytes: 1, segmentMaxAgeMs: 3_600_000 } });
    for (let round = 0; round < 3; round += 1) {
      writer.append(events(9), `c${round}`, writer.counters());
      writer.rotateIfDue(log.nowMs);
    }
    const reader = log.reader();
    expect(readAll(reader)).toHaveLength(31);
    const all = { keepMs: -1, keepBytes: 0, nowMs: log.nowMs };
    expect(writer.applyRetention({ ...all, keepFrom: toOffset(15) })).toMatchObject([
      { fromOffset: 1, toOffset: 10 },
    ]);
    expect(reader.tail()).toBe(11);
    expect(() => reader.read(toOffset(10), 1, 1)).toThrow(expect.objectContaining({ code: "log-gone" }));
    expect(writer.applyRetention({ ...all, keepFrom: toOffset(1_000) })).toHaveLength(2);
    expect(writer.applyRetention({ ...all, keepFrom: toOffset(1_000) })).toEqual([]);
    expect(readdirSync(log.folder).filter((name) => !name.includes("0031"))).toEqual([]);
    expect([reader.tail(), reader.head()]).toEqual([31, 31]);
    writer.close();
    const next = log.writer();
    expect([next.head(), next.cursor()]).toEqual([31, "c2"]);
  });
});
