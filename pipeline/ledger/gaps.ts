import { type Offset, type SourceName, toOffset } from "#storage/model/brand.ts";
import type { Gap, GapState } from "#storage/model/ledger.ts";
import type { SourcePosition } from "../protocol/change.ts";
import { countOf, type OpenRange, takeOut } from "./ranges.ts";

/** Holes followed at once; beyond that the oldest are left as they stand, listed but no longer followed. */
const MAX_FOLLOWED = 200;
/** Pieces of one hole; a filling that would make more is not looked at (the hole then stays unfilled, which is the safe side). */
const MAX_PIECES = 100;
/** Topics followed: a stream has two a name. More are not looked at. */
const MAX_TOPICS = 64;
/** A step back beyond this is another Kafka cluster's numbering (eventstreams.md); overlaps are seconds, not hours. */
const CLUSTER_STEP = 1_000_000;

type Topic = {
  next: number;
  lastDt: string | null;
  lastWasCanary: boolean;
  /** Records since this topic's last one whose topic and offset nobody can read: each may be the one that is missing. */
  unreadable: number;
};

type Followed = {
  readonly topic: string;
  readonly partition: number;
  readonly fromOffset: number;
  readonly toOffset: number;
  readonly seenAt: number;
  readonly sinceMs: number;
  /** Only canaries around it: the idle data centre, whose holes the source serves to nobody (C01). */
  readonly isIdle: boolean;
  state: GapState;
  changedAt: number;
  missing: OpenRange[];
  /** After it was asked for, the source went back before it: passing over it again means it has nothing there. */
  wasRewound: boolean;
};

/** Memory of the detector, small enough to be stored with every commit. */
export type GapMemory = {
  readonly topics: readonly (readonly [string, number, Topic])[];
  readonly followed: readonly Followed[];
};

/** An empty memory. */
export const NO_GAP_MEMORY: GapMemory = { topics: [], followed: [] };

/** Source offsets of one topic and partition that ingest asks for. */
export type AskedRange = Pick<Gap, "topic" | "partition" | "fromOffset" | "toOffset">;

/** A hole that ingest should ask for, and from when on. */
export type GapQuestion = AskedRange & { readonly sinceMs: number };

/**
 * Finds holes in the source's own numbering, per topic and partition, as a function of the log alone.
 *
 *     (hole seen) ─┬─▶ explained      as many unreadable records lie in between
 *                  └─▶ open ──note gap-asked──▶ asked ──source passes over it again, idle topic──▶ not-served
 *                        └────────────────────────┴──────all of it arrives──▶ repaired
 */
export class GapDetector {
  readonly #source: SourceName;
  readonly #topics = new Map<string, Topic>();
  #followed: Followed[];
  readonly #changed = new Map<string, Gap>();

  constructor(source: SourceName, memory: GapMemory) {
    this.#source = source;
    for (const [topic, partition, state] of memory.topics)
      this.#topics.set(`${partition}/${topic}`, { ...state });
    this.#followed = memory.followed.map((gap) => ({ ...gap, missing: [...gap.missing] }));
  }

  /** A record whose topic and offset were read, of whatever verdict. */
  see(position: SourcePosition, at: Offset): void {
    const key = `${position.partition}/${position.topic}`;
    const topic = this.#topics.get(key);
    const { sourceOffset } = position;
    if (topic === undefined) {
      if (this.#topics.size < MAX_TOPICS) this.#topics.set(key, topicAfter(position));
      return;
    }
    if (sourceOffset >= topic.next) {
      if (sourceOffset > topic.next) this.#open(position, topic, at);
      this.#passOver(position, at);
      this.#topics.set(key, topicAfter(position));
    } else if (topic.next - sourceOffset > CLUSTER_STEP) this.#topics.set(key, topicAfter(position));
    else this.#lookBack(position, at);
  }

  /** A record, or an offset of the log, from which no topic and offset can be read. */
  seeUnreadable(count = 1): void {
    for (const topic of this.#topics.values()) topic.unreadable += count;
  }

  /** The note that ingest wrote before it asked for a hole. */
  noteAsked(asked: AskedRange, at: Offset): void {
    for (const gap of this.#followed) {
      const isSame = gap.topic === asked.topic && gap.partition === asked.partition;
      if (
        isSame &&
        gap.state === "open" &&
        gap.fromOffset >= asked.fromOffset &&
        gap.toOffset <= asked.toOffset
      ) {
        this.#change(gap, "asked", "asked for once, by the rewound cursor", at);
      }
    }
  }

  /** Holes whose state changed since the last call. */
  takeChanged(): readonly Gap[] {
    const changed = [...this.#changed.values()];
    this.#changed.clear();
    return changed;
  }

  /** Holes that nobody has asked for yet. */
  questions(): readonly GapQuestion[] {
    return this.#followed
      .filter((gap) => gap.state === "open")
      .map(({ topic, partition, fromOffset, toOffset, sinceMs }) => ({
        topic,
        partition,
        fromOffset,
        toOffset,
        sinceMs,
      }));
  }

  memory(): GapMemory {
    const topics = [...this.#topics].map(([key, state]) => {
      const slash = key.indexOf("/");
      return [key.slice(slash + 1), Number(key.slice(0, slash)), { ...state }] as const;
    });
    return { topics, followed: this.#followed.map((gap) => ({ ...gap, missing: [...gap.missing] })) };
  }

  #open(position: SourcePosition, topic: Topic, at: Offset): void {
    const size = position.sourceOffset - topic.next;
    const gap: Followed = {
      topic: position.topic,
      partition: position.partition,
      fromOffset: topic.next,
      toOffset: position.sourceOffset - 1,
      seenAt: at,
      sinceMs: toMs(topic.lastDt) ?? toMs(position.dt) ?? 0,
      isIdle: topic.lastWasCanary && position.isCanary,
      state: "open",
      changedAt: at,
      missing: [{ from: topic.next, to: position.sourceOffset - 1 }],
      wasRewound: false,
    };
    if (size <= topic.unreadable) {
      this.#change(
        gap,
        "explained",
        `${topic.unreadable} records without a readable offset lie in between`,
        at,
      );
      return;
    }
    this.#followed.push(gap);
    if (this.#followed.length > MAX_FOLLOWED) this.#followed.shift();
    this.#change(gap, "open", `${size} source offsets did not arrive`, at);
  }

  /** The record came from behind the newest one: an overlap, a repair, or a source that went back because it was asked. */
  #lookBack(position: SourcePosition, at: Offset): void {
    for (const gap of this.#followed) {
      if (gap.topic !== position.topic || gap.partition !== position.partition) continue;
      if (position.sourceOffset < gap.fromOffset) {
        if (gap.state === "asked") gap.wasRewound = true;
      } else if (position.sourceOffset <= gap.toOffset) this.#fill(gap, position.sourceOffset, at);
    }
    this.#passOver(position, at);
  }

  #fill(gap: Followed, sourceOffset: number, at: Offset): void {
    const left = takeOut(gap.missing, sourceOffset);
    if (left.length > MAX_PIECES || countOf(left) === countOf(gap.missing)) return;
    gap.missing = left;
    const missing = countOf(left);
    if (missing === 0) this.#change(gap, "repaired", "all of it arrived later", at);
    else this.#change(gap, gap.state, `${missing} source offsets did not arrive`, at);
  }

  #passOver(position: SourcePosition, at: Offset): void {
    for (const gap of this.#followed) {
      const isSame = gap.topic === position.topic && gap.partition === position.partition;
      if (
        isSame &&
        gap.wasRewound &&
        gap.isIdle &&
        gap.state === "asked" &&
        position.sourceOffset > gap.toOffset
      ) {
        this.#change(gap, "not-served", "asked for once; the source passes over it again", at);
      }
    }
  }

  #change(gap: Followed, state: GapState, reason: string, at: Offset): void {
    gap.state = state;
    gap.changedAt = at;
    const { topic, partition, fromOffset } = gap;
    this.#changed.set(`${partition}/${topic}/${fromOffset}/${gap.seenAt}`, {
      source: this.#source,
      topic,
      partition,
      fromOffset,
      toOffset: gap.toOffset,
      state,
      reason,
      seenAt: toOffset(gap.seenAt),
      changedAt: at,
    });
    const isClosed = state === "repaired" || state === "not-served";
    if (isClosed) this.#followed = this.#followed.filter((each) => each !== gap);
  }
}

function topicAfter(position: SourcePosition): Topic {
  return {
    next: position.sourceOffset + 1,
    lastDt: position.dt,
    lastWasCanary: position.isCanary,
    unreadable: 0,
  };
}

function toMs(dt: string | null): number | null {
  const ms = dt === null ? Number.NaN : Date.parse(dt);
  return Number.isNaN(ms) ? null : ms;
}
