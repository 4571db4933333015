import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createClockWatch } from "./clock-watch.ts";
import { expiredRuns } from "./expire.ts";
import { holesBetween, isSeen } from "./prune.ts";
import { keptSnapshots, type LadderSnapshot } from "./retention.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 40 * DAY;
const LIMITS = {
  keepAllMs: 15 * MINUTE,
  keepAllSnapshots: 5_000,
  keepAllBytes: 1_000,
  keepAllRecords: 1_000,
};
const NOBODY: ReadonlySet<number> = new Set();

function snapshot(snapshotId: number, ageMs: number, more: Partial<LadderSnapshot> = {}): LadderSnapshot {
  return { snapshotId, timeMs: NOW - ageMs, sealed: false, endedBytes: 0, records: 0, ...more };
}

function kept(snapshots: readonly LadderSnapshot[], limits = LIMITS, held = NOBODY): readonly number[] {
  return [...keptSnapshots(snapshots, NOW, limits, held)].toSorted((a, b) => a - b);
}

const sealed = { sealed: true };

describe("retention ladder", () => {
  test.each([
    ["every snapshot of the last 15 minutes", [snapshot(1, 15 * MINUTE), snapshot(2, 1)], [1, 2]],
    ["nothing older without a seal", [snapshot(1, 15 * MINUTE + 1), snapshot(2, 1)], [2]],
    ["the newest snapshot, however old", [snapshot(1, 90 * DAY), snapshot(2, 80 * DAY)], [2]],
    ["the newest seal point, however old", [snapshot(1, 90 * DAY, sealed), snapshot(2, 80 * DAY)], [1, 2]],
    ["snapshots from the future as new ones", [snapshot(1, -DAY), snapshot(2, -DAY)], [1, 2]],
    [
      "one seal point per 10 minutes of the last day",
      [
        snapshot(1, 2 * HOUR, sealed),
        snapshot(2, 2 * HOUR - 9 * MINUTE, sealed),
        snapshot(3, 2 * HOUR - 10 * MINUTE, sealed),
        snapshot(4, 0, sealed),
      ],
      [1, 3, 4],
    ],
    [
      "one an hour of the last 7 days",
      [
        snapshot(1, 3 * DAY, sealed),
        snapshot(2, 3 * DAY - 59 * MINUTE, sealed),
        snapshot(3, 3 * DAY - HOUR, sealed),
        snapshot(4, 0, sealed),
      ],
      [1, 3, 4],
    ],
    [
      "one a day of the last 30 days, then none",
      [
        snapshot(1, 30 * DAY, sealed),
        snapshot(2, 20 * DAY, sealed),
        snapshot(3, 20 * DAY - 23 * HOUR, sealed),
        snapshot(4, 0, sealed),
      ],
      [2, 4],
    ],
    ["nothing of an empty lake", [], []],
  ])("keeps %s", (_, snapshots, expected) => {
    expect(kept(snapshots)).toEqual(expected);
  });

  test("keeps no more than its number of snapshots, nor more ended bytes or records than its limits", () => {
    const ten = Array.from({ length: 10 }, (_, index) => snapshot(index, 10 - index, { endedBytes: 100 }));
    expect(kept(ten, { ...LIMITS, keepAllSnapshots: 3 })).toEqual([7, 8, 9]);
    // Snapshots 5…9: the rows that ended at 6, 7, 8 and 9 are kept for them.
    expect(kept(ten, { ...LIMITS, keepAllBytes: 400 })).toEqual([5, 6, 7, 8, 9]);
    const busy = ten.map((each) => ({ ...each, endedBytes: 0, records: 400 }));
    expect(kept(busy)).toEqual([7, 8, 9]);
  });

  test("keeps what is pinned or leased", () => {
    const old = [snapshot(1, 90 * DAY), snapshot(2, DAY), snapshot(3, 0)];
    expect(kept(old, LIMITS, new Set([1]))).toEqual([1, 3]);
  });

  test("never wants back what it let go: what is kept later was kept at every step before", () => {
    const history = fc.array(
      fc.record({ gap: fc.integer({ min: 1_000, max: 5 * HOUR }), sealed: fc.boolean() }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(
        history,
        fc.array(fc.integer({ min: 1, max: 3 * DAY }), { minLength: 1, maxLength: 20 }),
        (gaps, steps) => {
          let at = 0;
          const all = gaps.map(({ gap, sealed: isSealed }, index): LadderSnapshot => {
            at += gap;
            return { snapshotId: index, timeMs: at, sealed: isSealed, endedBytes: 0, records: 0 };
          });
          let left = all;
          let now = at;
          for (const step of steps) {
            now += step;
            const once = keptSnapshots(all, now, LIMITS, NOBODY);
            const stepwise = keptSnapshots(left, now, LIMITS, NOBODY);
            expect([...stepwise]).toEqual([...once]);
            left = left.filter((candidate) => stepwise.has(candidate.snapshotId));
          }
        },
      ),
    );
  });
});

test("expires runs of neighbours into the next kept snapshot, a bounded number at once", () => {
  expect(expiredRuns([0, 1, 2, 3, 5, 6], new Set([2, 6]))).toEqual([
    { from: 0, to: 1, heir: 2 },
    { from: 3, to: 5, heir: 6 },
  ]);
  expect(expiredRuns([1, 2], new Set([1, 2]))).toEqual([]);
  const many = Array.from({ length: 1_000 }, (_, index) => index);
  expect(expiredRuns(many, new Set([999]))).toEqual([{ from: 0, to: 299, heir: 999 }]);
});

test("knows between which kept snapshots nobody looks", () => {
  expect(holesBetween([3, 4, 7])).toEqual([
    { after: -1, upTo: 3 },
    { after: 4, upTo: 7 },
  ]);
  expect(holesBetween([0, 1])).toEqual([]);
  expect(isSeen([3, 7], 4, 7)).toBe(false);
  expect(isSeen([3, 7], 3, 4)).toBe(true);
  expect(isSeen([3, 7], 8, 100)).toBe(false);
  expect(isSeen([], 0, 100)).toBe(false);
});

test("rests for five minutes after the wall clock jumped, either way", () => {
  for (const jump of [HOUR, -HOUR]) {
    const watch = createClockWatch();
    expect(watch.isPaused(NOW, 0)).toBe(false);
    expect(watch.isPaused(NOW + 30_000, 30_000)).toBe(false);
    expect(watch.isPaused(NOW + jump, 31_000)).toBe(true);
    expect(watch.isPaused(NOW + jump + 299_000, 330_000)).toBe(true);
    expect(watch.isPaused(NOW + jump + 300_000, 331_001)).toBe(false);
  }
});
