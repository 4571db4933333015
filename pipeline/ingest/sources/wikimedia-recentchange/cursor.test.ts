import { describe, expect, test } from "vitest";
import { mergePosition, parsePosition, parseSourceId, resumeId, topicsOf } from "./cursor.ts";

const STREAM = "mediawiki.recentchange";
const EQIAD = `eqiad.${STREAM}`;
const CODFW = `codfw.${STREAM}`;
const T = 1_780_000_000_000;

const idOf = (eqiad: object, codfw: object = { offset: -1 }): string =>
  JSON.stringify([
    { topic: EQIAD, partition: 0, ...eqiad },
    { topic: CODFW, partition: 0, ...codfw },
  ]);

function sent(
  position: string | null,
  rewindMs = 10_000,
  asks: Parameters<typeof resumeId>[3] = [],
): unknown {
  const parsed = parsePosition(position);
  const resume = parsed === null ? null : resumeId(parsed, STREAM, rewindMs, asks);
  return resume === null ? null : JSON.parse(resume.header);
}

describe("ids of every era", () => {
  test("timestamps, offsets of 2017 and idle topics are read", () => {
    expect(parseSourceId(idOf({ timestamp: T }))).toHaveLength(2);
    expect(parseSourceId(idOf({ offset: 123 }, { offset: 5 }))).toHaveLength(2);
  });

  test("an item with time and offset together, with seconds, or with neither is no position", () => {
    for (const item of [{ timestamp: T, offset: 5 }, { timestamp: 1_780_000_000 }, {}, { timestamp: "x" }]) {
      expect(parseSourceId(idOf(item))).toBeNull();
    }
  });

  test("anything else is no position", () => {
    for (const id of [
      "",
      "abc",
      "{}",
      "[]",
      "[1]",
      "[",
      "null",
      '[{"topic":"x","partition":-1,"offset":1}]',
    ]) {
      expect(parseSourceId(id)).toBeNull();
    }
  });
});

describe("the stored position", () => {
  test("keeps the newest time of each topic", () => {
    let position = mergePosition(null, [idOf({ timestamp: T })], T + 5);
    position = mergePosition(position, [idOf({ timestamp: T - 50 }, { timestamp: T - 900 })], T + 6);
    expect(sent(position, 0)).toEqual([
      { topic: EQIAD, partition: 0, timestamp: T - 1 },
      { topic: CODFW, partition: 0, timestamp: T - 901 },
    ]);
  });

  test("is not moved by ids that cannot be read, only by what it saw of time", () => {
    const before = mergePosition(null, [idOf({ timestamp: T })], T);
    const after = mergePosition(before, ["nonsense", idOf({ timestamp: T, offset: 5 })], T + 100);
    expect(sent(after)).toEqual(sent(before));
    expect(parsePosition(after)?.seenMs).toBe(T + 100);
  });

  test("takes the newest id of a batch that can be read", () => {
    const position = mergePosition(null, [idOf({ timestamp: T }), "nonsense"], T);
    expect(sent(position, 1)).toEqual([
      { topic: EQIAD, partition: 0, timestamp: T - 1 },
      { topic: CODFW, partition: 0, timestamp: T - 1 },
    ]);
  });

  test("never runs ahead of the source's clock, so that an id from the future cannot skip what comes", () => {
    const position = mergePosition(null, [idOf({ timestamp: T + 90_000_000 })], T);
    expect(sent(position, 10_000)).toMatchObject([{ timestamp: T + 2_000 - 10_000 }, {}]);
  });

  test("gives up no time for an offset", () => {
    const before = mergePosition(null, [idOf({ timestamp: T })], T);
    expect(sent(mergePosition(before, [idOf({ offset: 99 })], T))).toEqual(sent(before));
  });
});

describe("what is sent", () => {
  test("names every topic, rewinds each, gives idle ones the same time, and never sends time and offset together", () => {
    const position = mergePosition(null, [idOf({ timestamp: T })], T);
    expect(sent(position)).toEqual([
      { topic: EQIAD, partition: 0, timestamp: T - 10_000 },
      { topic: CODFW, partition: 0, timestamp: T - 10_000 },
    ]);
  });

  test("names topics that the id left out, and none of another stream", () => {
    const other = JSON.stringify([
      { topic: "eqiad.mediawiki.page-move", partition: 0, timestamp: T },
      { topic: CODFW, partition: 0, timestamp: T - 5 },
    ]);
    const topics = sent(mergePosition(null, [other], T));
    expect(topics).toEqual([
      { topic: CODFW, partition: 0, timestamp: T - 5 - 10_000 },
      { topic: EQIAD, partition: 0, timestamp: T - 5 - 10_000 },
    ]);
  });

  test("rewinds by at least the 1 ms that ids are ahead", () => {
    expect(sent(mergePosition(null, [idOf({ timestamp: T })], T), 0)).toMatchObject([
      { timestamp: T - 1 },
      { timestamp: T - 1 },
    ]);
  });

  test("sends offsets back as they are where the source gives nothing else", () => {
    expect(sent(mergePosition(null, [idOf({ offset: 42 })], T))).toEqual([
      { topic: EQIAD, partition: 0, offset: 42 },
      { topic: CODFW, partition: 0, offset: -1 },
    ]);
  });

  test("holds nothing to send when no id could ever be read", () => {
    expect(sent(mergePosition(null, ["x"], T))).toBeNull();
  });

  test("rewinds the topic of a hole further, and only that one", () => {
    const position = mergePosition(null, [idOf({ timestamp: T }, { timestamp: T })], T);
    const ask = { topic: CODFW, partition: 0, fromOffset: 5, toOffset: 7, sinceMs: T - 60_000 };
    expect(sent(position, 10_000, [ask])).toEqual([
      { topic: EQIAD, partition: 0, timestamp: T - 10_000 },
      { topic: CODFW, partition: 0, timestamp: T - 70_000 },
    ]);
  });

  test("knows aliases and composite streams by their full topic names", () => {
    expect(topicsOf("recentchange")).toEqual([EQIAD, CODFW]);
    expect(topicsOf("page-move,mediawiki.page_change.v1")).toHaveLength(4);
  });
});
