import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toOffset } from "../model/brand.ts";
import { DEFAULT_RESULT_SETTINGS } from "../model/settings.ts";
import { event, events, LogFixture, readAll, textOf } from "./log-fixture.test-support.ts";
import { NEW_LAKE } from "./log-writer.ts";
import { READ_AHEAD_MAX } from "./lost-offsets.ts";
import { segmentPath } from "./segment-path.ts";

let log: LogFixture;
beforeEach(() => {
  log = new LogFixture();
});
afterEach(() => {
  log.dispose();
});

const smallSegments = { limits: { segmentMaxBytes: 1, segmentMaxAgeMs: 3_600_000 } };

/** Two segments: 1–11 with cursor "first", 12–22 with cursor "second". */
function writeTwoSegments(): void {
  const writer = log.writer(smallSegments);
  writer.append(events(10, "a"), "first", writer.counters());
  writer.rotateIfDue(log.nowMs);
  writer.append(events(10, "b"), "second", writer.counters());
  writer.close();
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const descriptor = openSync(path, "r+");
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
}

describe("a damaged log", () => {
  test("whose newest segment is broken is set aside whole and goes on from the one before", () => {
    writeTwoSegments();
    const path = segmentPath(log.folder, toOffset(12));
    const garbage = new Uint8Array(4_096).fill(0x5a);
    overwrite(path, 0, garbage);
    const writer = log.writer();
    expect(writer.takeover.quarantined).toMatchObject([{ path, fromOffset: 12 }]);
    const moved = writer.takeover.quarantined[0]?.movedTo ?? "";
    expect(moved.startsWith(log.quarantine)).toBe(true);
    expect(readFileSync(moved).subarray(0, 4_096).equals(garbage)).toBe(true);
    // What it held is unknown, so a reader may have read as far ahead as it can: settings and note stand behind that.
    expect([writer.head(), writer.cursor()]).toEqual([READ_AHEAD_MAX + 2, "first"]);
    expect(writer.takeover.tailLost).toEqual({ fromOffset: 12, toOffset: READ_AHEAD_MAX });
    expect(writer.append(events(1, "c"), "third", writer.counters())).toBe(READ_AHEAD_MAX + 3);
  });

  test("never gives an offset again that a reader has read from a segment set aside, and may still commit", () => {
    writeTwoSegments();
    const path = segmentPath(log.folder, toOffset(12));
    // The last block does not decode any more; state and blocks agree that the segment ended at 22.
    const database = new Database(path);
    database.exec("UPDATE blocks SET body = zeroblob(3) WHERE first_offset = 13");
    database.close();
    let isMovedWhenAsked = false;
    const lake = (): typeof NEW_LAKE => {
      isMovedWhenAsked = !existsSync(path);
      return { ...NEW_LAKE, checkpoint: toOffset(15) };
    };
    const writer = log.writer({ lake });
    expect(isMovedWhenAsked).toBe(true);
    expect(writer.takeover.tailLost).toEqual({ fromOffset: 12, toOffset: 22 });
    expect(writer.append(events(1, "c"), "third", writer.counters())).toBe(25);
    expect(log.reader().read(toOffset(12), 100, 1e6).unreadable).toMatchObject([
      { fromOffset: 12, toOffset: 22 },
    ]);
    writer.close();
    expect(log.writer({ lake }).takeover).toEqual({ quarantined: [], tailLost: null });
  });

  test("keeps that promise when the takeover was killed right behind the move", () => {
    writeTwoSegments();
    overwrite(segmentPath(log.folder, toOffset(12)), 0, new Uint8Array(4_096).fill(0x5a));
    const killed = (): never => {
      throw new Error("killed");
    };
    expect(() => log.writer({ lake: killed })).toThrow("killed");
    expect(log.writer().takeover.tailLost).toEqual({ fromOffset: 12, toOffset: READ_AHEAD_MAX });
  });

  test("whose newest segment lost a block or its state is set aside too", () => {
    for (const damage of [
      "DELETE FROM blocks WHERE first_offset = 13",
      "DELETE FROM meta",
      "DROP TABLE meta",
    ]) {
      writeTwoSegments();
      const database = new Database(segmentPath(log.folder, toOffset(12)));
      database.exec(damage);
      database.close();
      const writer = log.writer();
      expect(writer.takeover.quarantined).toHaveLength(1);
      expect(writer.takeover.tailLost?.fromOffset).toBe(12);
      writer.close();
      rmSync(log.folder, { recursive: true });
      log.nowMs += 1;
    }
    expect(readdirSync(log.quarantine)).toHaveLength(3);
  });

  test("that ends before the checkpoint goes on behind it, with a note and the last readable cursor", () => {
    writeTwoSegments();
    const path = segmentPath(log.folder, toOffset(12));
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
    const writer = log.writer({ checkpoint: toOffset(20) });
    expect(writer.takeover.tailLost).toEqual({ fromOffset: 12, toOffset: 20 });
    expect([writer.head(), writer.cursor()]).toEqual([22, "first"]);
    writer.append(events(1, "c"), "third", writer.counters());
    const reader = log.reader();
    const read = reader.read(toOffset(11), 100, 1e6);
    expect(read.unreadable).toMatchObject([{ fromOffset: 12, toOffset: 20 }]);
    expect(read.records.map(({ offset, kind }) => [offset, kind])).toEqual([
      [11, "event"],
      [21, "settings"],
      [22, "note"],
      [23, "event"],
    ]);
    expect(JSON.parse(textOf(read.records[2]) ?? "")).toEqual({
      note: "log-tail-lost",
      fromOffset: 12,
      toOffset: 20,
    });
    writer.close();
    expect(log.writer({ checkpoint: toOffset(20) }).takeover.tailLost).toBeNull();
  });

  test("that is gone altogether begins behind the checkpoint and never gives an offset twice", () => {
    const writer = log.writer({ checkpoint: toOffset(500) });
    expect([writer.head(), writer.cursor()]).toEqual([502, null]);
    expect(log.reader().tail()).toBe(501);
  });

  test("that is gone altogether goes on from the lake's cursor under the lake's settings, then takes the wish", () => {
    const settings = { ...DEFAULT_RESULT_SETTINGS, allowedLatenessMs: 7_000 };
    const lake = { checkpoint: toOffset(500), cursor: "kept", settings: JSON.stringify(settings) };
    const writer = log.writer({ lake: () => lake, settings: DEFAULT_RESULT_SETTINGS });
    expect([writer.head(), writer.cursor()]).toEqual([503, "kept"]);
    expect(log.reader().settingsAt(toOffset(502))?.allowedLatenessMs).toBe(7_000);
    expect(writer.settings()).toEqual(DEFAULT_RESULT_SETTINGS);
  });

  test("with one broken block names that block unreadable and reads all others", () => {
    const writer = log.writer();
    for (const prefix of ["a", "b", "c"]) writer.append(events(5, prefix), prefix, writer.counters());
    writer.close();
    const database = new Database(segmentPath(log.folder, toOffset(1)));
    database.prepare("UPDATE blocks SET body = zeroblob(length(body)) WHERE first_offset = 7").run();
    database.close();
    const reader = log.reader();
    const read = reader.read(toOffset(4), 100, 1e6);
    expect(read).toMatchObject({
      fromOffset: 4,
      toOffset: 16,
      unreadable: [{ fromOffset: 7, toOffset: 11 }],
    });
    expect(read.records.map(textOf)).toEqual(["a3", "a4", "a5", "c1", "c2", "c3", "c4", "c5"]);
    expect(reader.read(toOffset(9), 1, 1e6)).toMatchObject({
      fromOffset: 9,
      unreadable: [{ fromOffset: 9, toOffset: 11 }],
    });
    expect(log.writer().takeover.quarantined).toEqual([]);
  });

  test("with a broken older segment reads on in the next one, and settings come from one that reads", () => {
    writeTwoSegments();
    overwrite(segmentPath(log.folder, toOffset(1)), 0, new Uint8Array(8_192).fill(1));
    const reader = log.reader();
    const read = reader.read(toOffset(3), 100, 1e6);
    expect(read.unreadable).toMatchObject([{ fromOffset: 3, toOffset: 11 }]);
    expect(read.records[0]).toMatchObject({ offset: 12, kind: "settings" });
    expect(reader.settingsAt(toOffset(12))).not.toBeNull();
    expect(reader.settingsAt(toOffset(5))).toBeNull();
  });

  test("with a segment cut short in the middle still accounts for every offset", () => {
    const writer = log.writer();
    for (let round = 0; round < 20; round += 1)
      writer.append([event(randomBytes(9_000)), event(randomBytes(9_000))], "c", writer.counters());
    const head = writer.head();
    writer.rotateIfDue(log.nowMs + 3_600_001);
    writer.close();
    const path = segmentPath(log.folder, toOffset(1));
    const whole = readFileSync(path);
    for (const part of [0.3, 0.6, 0.9]) {
      writeFileSync(path, whole.subarray(0, Math.floor(whole.length * part)));
      const read = log.reader().read(toOffset(1), 1_000, 1e9);
      const lost = read.unreadable.reduce((sum, range) => sum + range.toOffset - range.fromOffset + 1, 0);
      expect(read.toOffset).toBe(head + 1);
      expect(read.records.length + lost).toBe(head + 1);
      expect(lost).toBeGreaterThan(0);
    }
  });

  test("of a newer version is refused and left alone", () => {
    writeTwoSegments();
    const path = segmentPath(log.folder, toOffset(12));
    const database = new Database(path);
    database.pragma("user_version = 99");
    database.close();
    for (const open of [() => log.writer(), () => log.reader().head()])
      expect(open).toThrow(expect.objectContaining({ code: "data-folder-too-new" }));
    expect(existsSync(path)).toBe(true);
  });

  test("with the leftovers of a kill in rotation or retention opens clean", () => {
    writeTwoSegments();
    writeFileSync(segmentPath(log.folder, toOffset(23)), "");
    writeFileSync(`${segmentPath(log.folder, toOffset(7))}-wal`, "left behind");
    const reader = log.reader();
    expect(reader.head()).toBe(22);
    const writer = log.writer();
    expect(writer.takeover).toEqual({ quarantined: [], tailLost: null });
    expect(writer.append(events(1), "c", writer.counters())).toBe(23);
    expect(
      readdirSync(log.folder).filter((name) => name.includes("00007") || name.includes("00023")),
    ).toEqual([]);
    expect(existsSync(join(log.quarantine))).toBe(false);
    expect(readAll(reader)).toHaveLength(23);
  });
});
