import { type Offset, type SourceName, toOffset } from "#storage/model/brand.ts";
import type { Gap, GapState } from "#storage/model/ledger.ts";
import type { SourcePosition } from "../protocol/change.ts";
import { countOf, type OpenRange, takeOut } from "./ranges.ts";

/** Holes followed at once; beyond that the oldest are left as they stand, listed but no longer followed. */
const MAX_FOLLOWED = 200;
/** Pieces of one hole; a filling that would make more is not looked at (the hole then stays unfilled, which is the safe side). */
const MAX_PIECES = 100;
/** Holes of one topic that are neither filled nor explained; with more its numbering counts as not contiguous (a relay that filters). */
export const MAX_HOLES = 100;
/** Times that one hole is asked for, when what it was asked with ended before it passed the hole. */
const MAX_ASKS = 3;
/** Topics followed: a stream has two a name. More are not looked at. */
const MAX_TOPICS = 64;
/** A step back beyond this is another Kafka cluster's numbering (eventstreams.md); overlaps are seconds, not hours. */
const CLUSTER_STEP = 1_000_000;

type Topic = {
  next: number;
  /** Source offset of the record before, wherever it was: tells whether the source goes from one side of a hole to the other. */
  last: number;
  /** Holes of it that are neither filled nor explained, also those no longer followed. Beyond MAX_HOLES none is listed any more. */
  holes: number;
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
  asks: number;
  /** Nothing more is to be expected of asking: the source passed over it again, or it was asked for often enough. */
  wasPassed: boolean;
};

/** Memory of the detector, small enough to be stored with every commit. */
export type GapMemory = {
  readonly topics: readonly (readonly [string, number, Topic])[];
  readonly followed: readonly Followed[];
};

/** What a memory of an older build does not hold. */
const NEW_IN_TOPIC = { last: -1, holes: 0 };
const NEW_IN_HOLE = { asks: 0, wasPassed: false };

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
 *                        │ ◀──goes on behind it──┘ │    (at most MAX_ASKS times)
 *                        └─────────────────────────┴──────all of it arrives──▶ repaired
 *
 * *Passes over it again* = two records in a row of the topic are the hole's two neighbours. A connection that died on the
 * way leaves another pair, since the next one begins at the stored position, which never went back.
 */
export class GapDetector {
  readonly #source: SourceName;
  readonly #topics = new Map<string, Topic>();
  #followed: Followed[];
  readonly #changed = new Map<string, Gap>();

  constructor(source: SourceName, memory: GapMemory) {
    this.#source = source;
    for (const [topic, partition, state] of memory.topics)
      this.#topics.set(`${partition}/${topic}`, { ...NEW_IN_TOPIC, ...state });
    this.#followed = memory.followed.map((gap) => ({ ...NEW_IN_HOLE, ...gap, missing: [...gap.missing] }));
  }

  /** A record whose topic and offset were read, of whatever verdict. */
  see(position: SourcePosition, at: Offset): void {
    const key = `${position.partition}/${position.topic}`;
    const topic = this.#topics.get(key);
    const { sourceOffset } = position;
    if (topic === undefined) {
      if (this.#topics.size < MAX_TOPICS) this.#topics.set(key, topicAfter(position, 0));
      return;
    }
    if (sourceOffset >= topic.next) {
      if (sourceOffset > topic.next) this.#open(position, topic, at);
      this.#passOver(position, topic, at);
      this.#topics.set(key, topicAfter(position, topic.holes));
    } else if (topic.next - sourceOffset > CLUSTER_STEP) {
      this.#topics.set(key, topicAfter(position, topic.holes));
    } else {
      this.#lookBack(position, at);
      this.#passOver(position, topic, at);
      topic.last = sourceOffset;
    }
  }

  /** A record, or an offset of the log, from which no topic and offset can be read. */
  seeUnreadable(count = 1): void {
    for (const topic of this.#topics.values()) topic.unreadable += count;
  }

  /** The note that ingest wrote before it asked for a hole. */
  noteAsked(asked: AskedRange, at: Offset): void {
    for (const gap of this.#followed) {
      if (
        isOfTopic(gap, asked) &&
        gap.state === "open" &&
        gap.fromOffset >= asked.fromOffset &&
        gap.toOffset <= asked.toOffset
      ) {
        gap.asks += 1;
        this.#change(gap, "asked", `asked for by the rewound cursor, ${times(gap.asks)}`, at);
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

  /** One text per meaning: the order of keys is the one that the constructor makes. */
  memory(): GapMemory {
    const topics = [...this.#topics].map(([key, state]) => {
      const slash = key.indexOf("/");
      return [key.slice(slash + 1), Number(key.slice(0, slash)), { ...NEW_IN_TOPIC, ...state }] as const;
    });
    return {
      topics,
      followed: this.#followed.map((gap) => ({ ...NEW_IN_HOLE, ...gap, missing: [...gap.missing] })),
    };
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
      asks: 0,
      wasPassed: false,
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
    if (topic.holes > MAX_HOLES) return;
    topic.holes += 1;
    if (topic.holes > MAX_HOLES) {
      this.#followed = this.#followed.filter((each) => !isOfTopic(each, position));
      const reason = `its numbering is not contiguous: more than ${MAX_HOLES} holes; no more are listed or asked for`;
      this.#change(gap, "open", reason, at);
      return;
    }
    this.#followed.push(gap);
    if (this.#followed.length > MAX_FOLLOWED) this.#followed.shift();
    this.#change(gap, "open", `${size} source offsets did not arrive`, at);
  }

  /** The record came from behind the newest one: an overlap, a repair, or a source that went back because it was asked. */
  #lookBack(position: SourcePosition, at: Offset): void {
    for (const gap of this.#followed) {
      const isInside = position.sourceOffset >= gap.fromOffset && position.sourceOffset <= gap.toOffset;
      if (isInside && isOfTopic(gap, position)) this.#fill(gap, position.sourceOffset, at);
    }
  }

  #fill(gap: Followed, sourceOffset: number, at: Offset): void {
    const left = takeOut(gap.missing, sourceOffset);
    if (left.length > MAX_PIECES || countOf(left) === countOf(gap.missing)) return;
    gap.missing = left;
    const missing = countOf(left);
    if (missing === 0) this.#change(gap, "repaired", "all of it arrived later", at);
    else this.#change(gap, gap.state, `${missing} source offsets did not arrive`, at);
  }

  /** The first record behind a hole that was asked for: it was passed over, or the connection that asked did not get there. */
  #passOver({ topic, partition, sourceOffset }: SourcePosition, before: Topic, at: Offset): void {
    for (const gap of this.#followed) {
      if (gap.state !== "asked" || gap.wasPassed || sourceOffset <= gap.toOffset) continue;
      if (!isOfTopic(gap, { topic, partition })) continue;
      const rest = gap.missing.at(-1);
      if (rest?.from === before.last + 1 && rest.to === sourceOffset - 1) {
        gap.wasPassed = true;
        const reason = `asked for ${times(gap.asks)}; the source passes over it again`;
        this.#change(gap, gap.isIdle ? "not-served" : "asked", reason, at);
      } else if (gap.asks < MAX_ASKS) {
        this.#change(
          gap,
          "open",
          `asked for ${times(gap.asks)}; the source went on without getting to it`,
          at,
        );
      } else {
        gap.wasPassed = true;
        this.#change(
          gap,
          "asked",
          `asked for ${times(gap.asks)} and never served; not asked for any more`,
          at,
        );
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
    if (!isClosed) return;
    this.#followed = this.#followed.filter((each) => each !== gap);
    const ofTopic = this.#topics.get(`${partition}/${topic}`);
    if (ofTopic !== undefined && ofTopic.holes <= MAX_HOLES) ofTopic.holes -= 1;
  }
}

function isOfTopic(gap: Pick<Gap, "topic" | "partition">, other: Pick<Gap, "topic" | "partition">): boolean {
  return gap.topic === other.topic && gap.partition === other.partition;
}

function times(asks: number): string {
  return asks === 1 ? "once" : `${asks} times`;
}

function topicAfter(position: SourcePosition, holes: number): Topic {
  return {
    next: position.sourceOffset + 1,
    last: position.sourceOffset,
    holes,
    lastDt: position.dt,
    lastWasCanary: position.isCanary,
    unreadable: 0,
  };
}

function toMs(dt: string | null): number | null {
  const ms = dt === null ? Number.NaN : Date.parse(dt);
  return Number.isNaN(ms) ? null : ms;
}
