import { describe, expect, test } from "vitest";
import { toOffset, toSourceName } from "#storage/model/brand.ts";
import type { Gap } from "#storage/model/ledger.ts";
import { GapDetector, NO_GAP_MEMORY } from "./gaps.ts";

const TOPIC = "eqiad.mediawiki.recentchange";

/** Feeds a detector, restarting it between any two records, and keeps the newest form of every hole. */
class Feed {
  #memory = NO_GAP_MEMORY;
  #at = 0;
  readonly gaps = new Map<number, Gap>();
  questions = 0;

  #step(act: (detector: GapDetector, at: ReturnType<typeof toOffset>) => void): void {
    this.#at += 1;
    const detector = new GapDetector(toSourceName("test"), this.#memory);
    act(detector, toOffset(this.#at));
    for (const gap of detector.takeChanged()) this.gaps.set(gap.fromOffset, gap);
    this.questions = detector.questions().length;
    this.#memory = JSON.parse(JSON.stringify(detector.memory())) as typeof NO_GAP_MEMORY;
  }

  see(offsets: readonly number[], isCanary = false, topic = TOPIC): void {
    for (const sourceOffset of offsets) {
      this.#step((detector, at) =>
        detector.see({ topic, partition: 0, sourceOffset, dt: "2026-11-30T12:00:00Z", isCanary }, at),
      );
    }
  }

  ask(fromOffset: number, toSourceOffset: number): void {
    this.#step((detector, at) => {
      detector.noteAsked({ topic: TOPIC, partition: 0, fromOffset, toOffset: toSourceOffset }, at);
    });
  }

  unreadable(): void {
    this.#step((detector) => detector.seeUnreadable());
  }

  states(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...this.gaps.values()].map((gap) => [`${gap.fromOffset}-${gap.toOffset}`, gap.state]),
    );
  }
}

describe("holes in the source's numbering", () => {
  test("contiguous offsets and overlaps show none", () => {
    const feed = new Feed();
    feed.see([10, 11, 12, 11, 12, 13, 10, 14]);
    expect(feed.states()).toEqual({});
  });

  test("a hole is open until it is asked for, and repaired when all of it arrives", () => {
    const feed = new Feed();
    feed.see([10, 14]);
    expect(feed.states()).toEqual({ "11-13": "open" });
    expect(feed.questions).toBe(1);
    feed.ask(11, 13);
    expect(feed.states()).toEqual({ "11-13": "asked" });
    expect(feed.questions).toBe(0);
    feed.see([10, 11, 12]);
    expect(feed.gaps.get(11)?.reason).toContain("1 source offsets");
    feed.see([13, 14, 15]);
    expect(feed.states()).toEqual({ "11-13": "repaired" });
  });

  test("C01: a hole of the idle data centre is asked for once, then not served, and never open again", () => {
    const feed = new Feed();
    feed.see([100, 101, 105, 106], true);
    expect(feed.states()).toEqual({ "102-104": "open" });
    feed.ask(102, 104);
    feed.see([100, 101, 105, 106], true);
    expect(feed.states()).toEqual({ "102-104": "not-served" });
    feed.see([100, 101, 105, 106, 107], true);
    expect(feed.states()).toEqual({ "102-104": "not-served" });
    expect(feed.questions).toBe(0);
  });

  test("C01: a hole in the active topic stays, even when the source passes over it again", () => {
    const feed = new Feed();
    feed.see([10, 15]);
    feed.ask(11, 14);
    feed.see([9, 10, 15, 16]);
    expect(feed.states()).toEqual({ "11-14": "asked" });
  });

  test("records whose offset nobody can read explain a hole of their number, once", () => {
    const feed = new Feed();
    feed.see([10]);
    feed.unreadable();
    feed.see([12]);
    feed.see([14]);
    expect(feed.states()).toEqual({ "11-11": "explained", "13-13": "open" });
  });

  test("each topic has its own numbering; a far step back is another cluster's", () => {
    const feed = new Feed();
    feed.see([5_000_000]);
    feed.see([7], true, "codfw.mediawiki.recentchange");
    feed.see([10, 11, 12]);
    expect(feed.states()).toEqual({});
  });

  test("no more holes are followed than the limit", () => {
    const detector = new GapDetector(toSourceName("test"), NO_GAP_MEMORY);
    for (let sourceOffset = 0; sourceOffset < 1_000; sourceOffset += 2) {
      detector.see(
        { topic: TOPIC, partition: 0, sourceOffset, dt: null, isCanary: false },
        toOffset(sourceOffset + 1),
      );
    }
    expect(detector.questions().length).toBe(200);
    expect(detector.takeChanged().length).toBe(499);
  });
});
