import { describe, expect, test } from "vitest";
import { toOffset, toSourceName } from "#storage/model/brand.ts";
import type { Gap } from "#storage/model/ledger.ts";
import { GapDetector, MAX_HOLES, NO_GAP_MEMORY } from "./gaps.ts";

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

  test("a hole whose connection died before it got there is open again, and asked for 3 times at most", () => {
    const feed = new Feed();
    feed.see([97, 98, 99, 100, 101, 105, 106], true);
    feed.ask(102, 104);
    // The rewound connection dies at 99; the next one begins at the stored position.
    feed.see([98, 99, 106, 107], true);
    expect(feed.states()).toEqual({ "102-104": "open" });
    expect(feed.questions).toBe(1);
    // The next ask dies before its first record.
    feed.ask(102, 104);
    feed.see([107, 108], true);
    expect(feed.questions).toBe(1);
    feed.ask(102, 104);
    feed.see([108, 109], true);
    expect(feed.states()).toEqual({ "102-104": "asked" });
    expect(feed.gaps.get(102)?.reason).toContain("asked for 3 times");
    expect(feed.questions).toBe(0);
    feed.see([110, 111], true);
    expect(feed.states()).toEqual({ "102-104": "asked" });
  });

  test("a hole that was reopened is still repaired, or found not served, when the next ask gets there", () => {
    for (const [again, state] of [
      [[100, 101, 105], "not-served"],
      [[101, 102, 103, 104, 105], "repaired"],
    ] as const) {
      const feed = new Feed();
      feed.see([100, 101, 105, 106], true);
      feed.ask(102, 104);
      feed.see([100, 106, 107], true);
      expect(feed.states()).toEqual({ "102-104": "open" });
      feed.ask(102, 104);
      feed.see(again, true);
      expect(feed.states()).toEqual({ "102-104": state });
    }
  });

  test("a relay that forwards a part only fills no list: its numbering is not contiguous, said once", () => {
    const feed = new Feed();
    feed.see(Array.from({ length: 1_000 }, (_, index) => index * 2));
    expect(feed.gaps.size).toBe(MAX_HOLES + 1);
    expect(feed.questions).toBe(0);
    expect(feed.gaps.get(MAX_HOLES * 2 + 1)).toMatchObject({
      state: "open",
      reason: expect.stringContaining("not contiguous"),
    });
  });

  test("holes that are closed do not count against the limit", () => {
    const feed = new Feed();
    for (let hole = 0; hole < MAX_HOLES + 20; hole += 1) feed.see([hole * 3, hole * 3 + 2, hole * 3 + 1]);
    expect(new Set(Object.values(feed.states()))).toEqual(new Set(["repaired"]));
  });
});
