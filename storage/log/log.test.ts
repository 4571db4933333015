import { randomBytes } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NO_OFFSET, toOffset } from "../model/brand.ts";
import { NO_INGEST_COUNTERS } from "../model/record.ts";
import { DEFAULT_RESULT_SETTINGS } from "../model/settings.ts";
import { event, events, LogFixture, readAll, textOf } from "./log-fixture.test-support.ts";
import { segmentPath } from "./segment-path.ts";

let log: LogFixture;
beforeEach(() => {
  log = new LogFixture();
});
afterEach(() => {
  log.dispose();
});

describe("a source's log", () => {
  test("begins with a settings record of all values at offset 1", () => {
    const writer = log.writer();
    expect(writer.head()).toBe(1);
    const [first] = readAll(log.reader());
    expect(first).toMatchObject({ offset: 1, kind: "settings", receivedTimeMs: log.nowMs });
    expect(JSON.parse(textOf(first) ?? "")).toEqual(DEFAULT_RESULT_SETTINGS);
  });

  test("gives bytes back exactly: invalid UTF-8, NUL, nothing, and 1 MiB", () => {
    const bodies = [
      Uint8Array.of(0xff, 0xc0, 0x80),
      Uint8Array.of(0, 65, 0),
      new Uint8Array(0),
      randomBytes(1_048_576),
    ];
    log.writer().append(
      bodies.map((body) => event(body)),
      "c",
      NO_INGEST_COUNTERS,
    );
    const records = readAll(log.reader(), toOffset(2));
    expect(records.map(({ data }) => Buffer.from(data).equals(Buffer.from(bodies.shift() ?? "?")))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test("keeps offsets dense over restarts and rotations, each segment beginning with settings", () => {
    const limits = { segmentMaxBytes: 1, segmentMaxAgeMs: 3_600_000 };
    let writer = log.writer({ limits });
    for (let round = 0; round < 3; round += 1) {
      writer.append(events(600, `r${round}-`), `cursor-${round}`, writer.counters());
      expect(writer.rotateIfDue(log.nowMs)).toBe(true);
      expect(writer.rotateIfDue(log.nowMs)).toBe(false);
      writer.close();
      writer = log.writer({ limits });
    }
    expect(writer.head()).toBe(1 + 3 * 601);
    expect(writer.cursor()).toBe("cursor-2");
    expect(writer.counters().appended).toBe(writer.head());
    const reader = log.reader();
    const records = readAll(reader, toOffset(1), 500);
    expect(records.map(({ offset }) => offset)).toEqual(records.map((_, index) => index + 1));
    expect(records).toHaveLength(writer.head());
    const starts = reader.segments().map(({ fromOffset }) => fromOffset);
    expect(starts).toEqual([1, 602, 1203, 1804]);
    expect(starts.map((start) => records[start - 1]?.kind)).toEqual(starts.map(() => "settings"));
  });

  test("rotates by age, but not while a segment holds nothing but its settings", () => {
    const writer = log.writer();
    log.nowMs += 4_000_000;
    expect(writer.rotateIfDue(log.nowMs)).toBe(false);
    writer.append(events(1), "c", writer.counters());
    expect(writer.rotateIfDue(log.nowMs - 1_000_000)).toBe(false);
    expect(writer.rotateIfDue(log.nowMs)).toBe(true);
  });

  test("counts every record and byte itself, and stores what the caller counts", () => {
    const writer = log.writer();
    const before = writer.counters();
    writer.append(events(2), "c", { ...NO_INGEST_COUNTERS, cutFrames: 4, connections: 2 });
    expect(writer.counters()).toEqual({
      appended: before.appended + 2,
      appendedBytes: before.appendedBytes + 4,
      cutFrames: 4,
      emptyFrames: 0,
      connections: 2,
    });
    writer.close();
    expect(log.writer().counters().cutFrames).toBe(4);
  });

  test("tells its readers head and counters of one moment, also over a rotation, and nothing while it is empty", () => {
    expect(log.reader().account()).toBeNull();
    const writer = log.writer({ limits: { segmentMaxBytes: 1, segmentMaxAgeMs: 3_600_000 } });
    const reader = log.reader();
    for (const round of [1, 2]) {
      writer.append(events(4), "c", { ...writer.counters(), cutFrames: round });
      expect(reader.account()).toEqual({ head: writer.head(), counters: writer.counters() });
      writer.rotateIfDue(log.nowMs);
      expect(reader.account()).toEqual({ head: writer.head(), counters: writer.counters() });
    }
    expect(reader.account()).toMatchObject({ head: 11, counters: { appended: 11, cutFrames: 2 } });
  });

  test("stores a moved cursor also without records", () => {
    const writer = log.writer();
    writer.append([], "moved", writer.counters());
    writer.close();
    expect(log.writer().cursor()).toBe("moved");
  });

  test("appends a settings record only when a value differs, and tells what held at each offset", () => {
    const writer = log.writer({ settings: DEFAULT_RESULT_SETTINGS });
    expect(writer.head()).toBe(1);
    expect(writer.changeSettings({ ...DEFAULT_RESULT_SETTINGS }, 5)).toBeNull();
    writer.append(events(3), "c", writer.counters());
    const changed = { ...DEFAULT_RESULT_SETTINGS, allowedLatenessMs: 10_000, disabledRules: ["b", "a", "b"] };
    expect(writer.changeSettings(changed, 5)).toBe(5);
    expect(writer.changeSettings({ ...changed, disabledRules: ["a", "b"] }, 6)).toBeNull();
    const reader = log.reader();
    expect(reader.settingsAt(toOffset(4))?.allowedLatenessMs).toBe(120_000);
    expect(reader.settingsAt(toOffset(5))).toMatchObject({
      allowedLatenessMs: 10_000,
      disabledRules: ["a", "b"],
    });
    expect(reader.settingsAt(toOffset(99))?.allowedLatenessMs).toBe(10_000);
    expect(reader.settingsAt(NO_OFFSET)).toBeNull();
    writer.close();
    // A missing wish changes nothing; a new one takes effect at the next start.
    expect(log.writer().settings().allowedLatenessMs).toBe(10_000);
  });

  test("puts a changed wish in force at open, in every later segment too", () => {
    log.writer().close();
    const wish = { ...DEFAULT_RESULT_SETTINGS, dedupMaxIds: 50 };
    const writer = log.writer({ settings: wish, limits: { segmentMaxBytes: 1, segmentMaxAgeMs: 3_600_000 } });
    expect(writer.head()).toBe(2);
    expect(writer.rotateIfDue(log.nowMs)).toBe(true);
    expect(log.reader().settingsAt(toOffset(3))?.dedupMaxIds).toBe(50);
    expect(writer.settings().dedupMaxIds).toBe(50);
  });

  test("refuses settings records through append, since they would bypass the comparison", () => {
    const writer = log.writer();
    expect(() => writer.append([{ ...event("{}"), kind: "settings" }], "c", writer.counters())).toThrow(
      RangeError,
    );
    expect(writer.head()).toBe(1);
  });

  test("stops with file-replaced when its segment was exchanged, and appends nothing", () => {
    const writer = log.writer();
    const path = segmentPath(log.folder, toOffset(1));
    renameSync(path, `${path}.away`);
    writeFileSync(path, "");
    expect(() => writer.append(events(1), "c", writer.counters())).toThrow(
      expect.objectContaining({ code: "file-replaced", kind: "fatal" }),
    );
    expect(writer.head()).toBe(1);
    expect(writer.cursor()).toBeNull();
  });
});

describe("a reader", () => {
  test("sees an empty log before the first writer, and follows appends and rotations of a writer it never told", () => {
    const reader = log.reader();
    expect([reader.head(), reader.tail()]).toEqual([0, 1]);
    expect(reader.read(toOffset(1), 10, 1_000)).toEqual({
      fromOffset: 1,
      toOffset: 0,
      records: [],
      unreadable: [],
    });
    const writer = log.writer({ limits: { segmentMaxBytes: 1, segmentMaxAgeMs: 3_600_000 } });
    for (let round = 1; round <= 4; round += 1) {
      writer.append(events(5, `r${round}-`), "c", writer.counters());
      expect(reader.head()).toBe(writer.head());
      expect(textOf(reader.read(writer.head(), 10, 1_000).records[0])).toBe(`r${round}-5`);
      writer.rotateIfDue(log.nowMs);
      expect(reader.head()).toBe(writer.head());
    }
    expect(readAll(reader)).toHaveLength(writer.head());
  });

  test("stops at the record and byte limits, but always gives one record", () => {
    log.writer().append(events(20, "x".repeat(98)), "c", NO_INGEST_COUNTERS);
    const reader = log.reader();
    expect(reader.read(toOffset(2), 3, 1e6)).toMatchObject({ fromOffset: 2, toOffset: 4 });
    expect(reader.read(toOffset(2), 100, 300).records).toHaveLength(3);
    expect(reader.read(toOffset(2), 100, 1).records).toHaveLength(1);
    expect(reader.read(toOffset(2), 0, 0).records).toHaveLength(1);
    expect(reader.read(toOffset(22), 5, 1e6).records).toEqual([]);
  });

  test("throws log-gone before the tail", () => {
    log.writer().close();
    expect(() => log.reader().read(NO_OFFSET, 1, 1)).toThrow(expect.objectContaining({ code: "log-gone" }));
  });
});
