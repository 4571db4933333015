import { describe, expect, test } from "vitest";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import { Dedup } from "./dedup.ts";

const S = 1_000_000;
const settings = { ...DEFAULT_RESULT_SETTINGS, dedupHorizonMs: 600_000 };

function heldAt(dedup: Dedup, watermarkUs: number, id = "a"): boolean {
  dedup.advance(watermarkUs);
  return dedup.isDuplicate(id);
}

describe("C48: the horizon", () => {
  test("a repeat is caught a second before and at the horizon, and let through a second after", () => {
    const dedup = new Dedup();
    dedup.holdId("a", 1, 1_000 * S, settings);
    expect(heldAt(dedup, 1_599 * S)).toBe(true);
    expect(heldAt(dedup, 1_600 * S)).toBe(true);
    expect(heldAt(dedup, 1_601 * S)).toBe(false);
  });

  test("lowering the horizon keeps what was promised before", () => {
    const dedup = new Dedup();
    dedup.holdId("a", 1, 1_000 * S, settings);
    dedup.holdId("b", 2, 1_000 * S, { ...settings, dedupHorizonMs: 1_000 });
    expect(heldAt(dedup, 1_600 * S)).toBe(true);
    expect(dedup.isDuplicate("b")).toBe(true); // leaves in offset order only
    expect(heldAt(dedup, 1_601 * S)).toBe(false);
    expect(dedup.isDuplicate("b")).toBe(false);
  });

  test("dead letters from before the first watermark are held for a horizon from it", () => {
    const dedup = new Dedup();
    dedup.holdLetter("x", 1, null, settings);
    dedup.holdId("a", 2, 1_000 * S, settings);
    dedup.advance(1_600 * S);
    expect(dedup.isRepeat("x")).toBe(true);
    dedup.advance(1_601 * S);
    expect(dedup.isRepeat("x")).toBe(false);
  });
});

describe("the cap", () => {
  test("the oldest ids leave first and are named by their offsets", () => {
    const dedup = new Dedup();
    const capped = { ...settings, dedupMaxIds: 10 };
    const evicted = Array.from({ length: 13 }, (_, index) =>
      dedup.holdId(`id${index}`, index + 1, 0, capped),
    );
    expect(evicted.flat()).toEqual([1, 2, 3]);
    expect(dedup.firstIdOffset()).toBe(4);
    expect(dedup.isDuplicate("id2")).toBe(false);
    expect(dedup.isDuplicate("id3")).toBe(true);
  });

  test("a lower cap takes effect at once, for dead letters too, also before the first watermark", () => {
    const dedup = new Dedup();
    for (let offset = 1; offset <= 20; offset += 1) dedup.holdLetter(`x${offset}`, offset, null, settings);
    expect(dedup.applyCap({ ...settings, dedupMaxIds: 10 }).length).toBe(10);
    dedup.holdId("a", 21, 0, settings);
    dedup.advance(600 * S + 1);
    expect(dedup.firstLetterOffset()).toBeNull();
  });

  test("a hundred thousand ids come and go without the queue growing", () => {
    const dedup = new Dedup();
    for (let offset = 1; offset <= 100_000; offset += 1) {
      dedup.advance(offset * S);
      dedup.holdId(`id${offset}`, offset, offset * S, settings);
    }
    expect(dedup.heldIds).toBeLessThanOrEqual(602);
    expect(dedup.firstIdOffset()).toBe(100_000 - dedup.heldIds + 1);
  });
});
