import { expect, test } from "vitest";
import { toOffset, toSourceName } from "#storage/model/brand.ts";
import type { Gap } from "#storage/model/ledger.ts";
import { LostRanges, NO_LOST_MEMORY } from "./lost-ranges.ts";

const source = toSourceName("test");

/** Does each step in a process of its own, and keeps the newest form of every range. */
function listAfter(steps: readonly ((ranges: LostRanges) => void)[]): readonly Gap[] {
  let memory = NO_LOST_MEMORY;
  const listed = new Map<number, Gap>();
  for (const step of steps) {
    const ranges = new LostRanges(source, memory);
    step(ranges);
    for (const gap of ranges.takeChanged()) listed.set(gap.fromOffset, gap);
    memory = ranges.memory();
  }
  return [...listed.values()];
}

test("offsets in a row that cannot be read are one open range", () => {
  const steps = [5, 6, 7, 9].map((offset) => (ranges: LostRanges) => ranges.seeUnreadable(offset));
  expect(listAfter(steps)).toMatchObject([
    { topic: "", fromOffset: 5, toOffset: 7, state: "open", seenAt: 5, changedAt: 7 },
    { fromOffset: 9, toOffset: 9 },
  ]);
});

test("a lost tail and a refused position are listed in words", () => {
  const listed = listAfter([
    (ranges) => ranges.seeUnreadable(12),
    (ranges) => ranges.seeTailLost(12, 20, toOffset(22)),
    (ranges) => ranges.seeRefused(400, 0, toOffset(30)),
  ]);
  expect(listed).toMatchObject([
    { fromOffset: 12, toOffset: 20, reason: expect.stringContaining("the log lost") },
    { fromOffset: 30, toOffset: 30, reason: expect.stringContaining("1970-01-01T00:00:00.000Z") },
  ]);
});

test("the list is bounded: beyond 100 ranges the last one takes in what comes", () => {
  const steps = Array.from(
    { length: 300 },
    (_, i) => (ranges: LostRanges) => ranges.seeUnreadable(i * 2 + 1),
  );
  const listed = listAfter(steps);
  expect(listed).toHaveLength(100);
  expect(listed.at(-1)).toMatchObject({ toOffset: 599, reason: expect.stringContaining("more than 100") });
});
