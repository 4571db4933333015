import { eventKind, extraServings, isHiddenFromNewClients } from "../generate/event-kind.ts";
import { canaryText, eventText } from "../generate/event-text.ts";
import { type FeedPlan, IDLE_TOPIC, SERVED_TOPIC } from "../generate/feed-plan.ts";
import { canariesBeforePosition, canaryArrivalMs, entryAt, kafkaMsAt } from "../generate/positions.ts";
import type { Assignment } from "./assignment.ts";

/** One record on its way to a client. `position` is null for the idle topic, `isRepeat` for a second serving in a row. */
export type Frame = {
  readonly data: string;
  readonly id: string;
  readonly what: { readonly event: number } | { readonly canary: number; readonly topic: string };
  readonly position: number | null;
  readonly isRepeat: boolean;
};

type TopicState = { next: number; readonly initialOffset: number; lastMs: number | null };

/**
 * What one connection is served, in order: the served topic by position, a canary of the idle topic just before the same canary
 * of the served one, and now and then a pair of events again (A B A B). Pulls nothing ahead, so it holds one frame at most.
 */
export class FrameSource {
  readonly #plan: FeedPlan;
  readonly #served: TopicState | null;
  readonly #idle: TopicState | null;
  readonly #isResumed: boolean;
  readonly #begin: number;
  #repeats: number[] = [];

  constructor(plan: FeedPlan, assignment: Assignment, isResumed: boolean) {
    this.#plan = plan;
    this.#served = assignment.served === null ? null : { ...assignment.served, lastMs: null };
    this.#idle = assignment.idle === null ? null : { ...assignment.idle, lastMs: null };
    this.#isResumed = isResumed;
    this.#begin = assignment.served?.next ?? 0;
  }

  /** The next frame of the positions below `end`, or null where there is none yet. */
  next(end: number): Frame | null {
    this.#skipHidden(end);
    return this.#nextIdle(end) ?? this.#nextRepeat() ?? this.#nextServed(end);
  }

  #skipHidden(end: number): void {
    const served = this.#served;
    if (served === null || this.#isResumed) return;
    while (served.next < end) {
      const entry = entryAt(this.#plan, served.next);
      if (entry.what !== "event" || !isHiddenFromNewClients(this.#plan, entry.k)) return;
      served.next += 1;
    }
  }

  #nextIdle(end: number): Frame | null {
    const idle = this.#idle;
    if (idle === null || this.#repeats.length > 0) return null;
    const upTo = this.#served === null ? end : Math.min(this.#served.next + 1, end);
    if (idle.next >= canariesBeforePosition(this.#plan, upTo)) return null;
    const c = idle.next;
    idle.next += 1;
    idle.lastMs = canaryArrivalMs(this.#plan, c);
    const data = canaryText(this.#plan, IDLE_TOPIC, c);
    return { data, id: this.#id(), what: { canary: c, topic: IDLE_TOPIC }, position: null, isRepeat: false };
  }

  #nextRepeat(): Frame | null {
    const position = this.#repeats.shift();
    return position === undefined ? null : this.#frameAt(position, true);
  }

  #nextServed(end: number): Frame | null {
    const served = this.#served;
    if (served === null || served.next >= end) return null;
    const position = served.next;
    served.next += 1;
    this.#planRepeats(position);
    return this.#frameAt(position, false);
  }

  #planRepeats(position: number): void {
    const second = entryAt(this.#plan, position);
    if (second.what !== "event" || position <= this.#begin) return;
    const times = extraServings(this.#plan, second.k - 1);
    if (times === 0 || entryAt(this.#plan, position - 1).what !== "event" || this.#isSingular(second.k))
      return;
    for (let i = 0; i < times; i += 1) this.#repeats.push(position - 1, position);
  }

  /** Too big, or hidden, to be served again for nothing. */
  #isSingular(second: number): boolean {
    return [second - 1, second].some(
      (k) => eventKind(this.#plan, k).kind === "oversized" || isHiddenFromNewClients(this.#plan, k),
    );
  }

  #frameAt(position: number, isRepeat: boolean): Frame {
    const entry = entryAt(this.#plan, position);
    if (this.#served !== null) this.#served.lastMs = kafkaMsAt(this.#plan, position);
    const id = this.#id();
    if (entry.what === "event") {
      return { data: eventText(this.#plan, entry.k), id, what: { event: entry.k }, position, isRepeat };
    }
    const data = canaryText(this.#plan, SERVED_TOPIC, entry.c);
    return { data, id, what: { canary: entry.c, topic: SERVED_TOPIC }, position, isRepeat };
  }

  /** One item a topic: the last record's Kafka timestamp + 1 ms, or the first assignment while nothing was served. */
  #id(): string {
    const items: string[] = [];
    if (this.#served !== null) items.push(idItem(SERVED_TOPIC, this.#served));
    if (this.#idle !== null) items.push(idItem(IDLE_TOPIC, this.#idle));
    return `[${items.join(",")}]`;
  }
}

function idItem(topic: string, state: TopicState): string {
  const at = state.lastMs === null ? `"offset":${state.initialOffset}` : `"timestamp":${state.lastMs + 1}`;
  return `{"topic":"${topic}","partition":0,${at}}`;
}
