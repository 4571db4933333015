import { isUnreadable, unreadableBefore } from "./event-kind.ts";
import { type FeedPlan, nominalTimeMs } from "./feed-plan.ts";
import { share } from "./random.ts";

/**
 * The served topic as Kafka would hold it: a sequence of positions, each an event or a canary. Everything is arithmetic, so
 * nothing is stored: 20 events, then blocks of one canary and `canaryStep` events; behind the last event only canaries.
 */
export type Entry =
  | { readonly what: "event"; readonly k: number }
  | { readonly what: "canary"; readonly c: number };

/** Events before the first canary, so that short runs meet one. */
const FIRST_CANARY_AT = 20;
/** Offset of position 0, of the size Wikimedia's offsets have. */
const SERVED_BASE = 6_900_000_000;
const IDLE_BASE = 48_000;
/** `hole`: source offsets that nobody is ever given. */
const HOLE_OFFSETS = 7;
/** EventGate stamps arrival 1 to 2 s after the event (2025-07 on). */
const ARRIVAL_MAX_MS = 1900;
const ARRIVAL_SPREAD_MS = 850;
/** Share of events stamped earlier than their neighbours; with it a naive resume loses events in about a third of resumes. */
const STAMPED_EARLIER = 0.4;

/** Canaries served before event `k`. */
export function canariesBeforeEvent(plan: FeedPlan, k: number): number {
  return k < FIRST_CANARY_AT ? 0 : Math.floor((k - FIRST_CANARY_AT) / plan.canaryStep) + 1;
}

/** The position of event `k`. */
export function positionOfEvent(plan: FeedPlan, k: number): number {
  return k + canariesBeforeEvent(plan, k);
}

/** Number of positions that hold all events of a finite plan; Infinity otherwise. */
export function positionCount(plan: FeedPlan): number {
  return Number.isFinite(plan.events) ? positionOfEvent(plan, plan.events - 1) + 1 : Number.POSITIVE_INFINITY;
}

/** What lies at position `p`. */
export function entryAt(plan: FeedPlan, p: number): Entry {
  const all = positionCount(plan);
  if (p >= all) return { what: "canary", c: canariesBeforeEvent(plan, plan.events - 1) + (p - all) };
  if (p < FIRST_CANARY_AT) return { what: "event", k: p };
  const block = Math.floor((p - FIRST_CANARY_AT) / (plan.canaryStep + 1));
  const inBlock = (p - FIRST_CANARY_AT) % (plan.canaryStep + 1);
  if (inBlock === 0) return { what: "canary", c: block };
  return { what: "event", k: FIRST_CANARY_AT + block * plan.canaryStep + inBlock - 1 };
}

/** Canaries among the positions 0 … p − 1. */
export function canariesBeforePosition(plan: FeedPlan, p: number): number {
  const entry = entryAt(plan, p);
  return entry.what === "canary" ? entry.c : canariesBeforeEvent(plan, entry.k);
}

/** Events among the positions 0 … p − 1. */
export function eventsBeforePosition(plan: FeedPlan, p: number): number {
  return p - canariesBeforePosition(plan, p);
}

/** `meta.offset` at position `p`: contiguous over everything that has a readable offset (and the hole, where that fault is on). */
export function offsetAt(plan: FeedPlan, p: number): number {
  const events = eventsBeforePosition(plan, p);
  const hole = plan.faults.has("hole") && events >= 200 + (plan.seed % 200) ? HOLE_OFFSETS : 0;
  return SERVED_BASE + p - unreadableBefore(plan, Math.min(events, plan.events)) + hole;
}

/** Offset of canary `c` in the idle topic, which holds nothing else. */
export function idleOffset(c: number): number {
  return IDLE_BASE + c;
}

/** Canary of the idle topic at `offset`, or the next one. */
export function idleCanaryAt(offset: number): number {
  return Math.max(0, offset - IDLE_BASE);
}

/** When event `k` reached the source, ms: its Kafka timestamp and `meta.dt`. Not sorted. */
export function arrivalMs(plan: FeedPlan, k: number): number {
  const spread = share(plan.seed, k, 20);
  const earlier =
    spread < STAMPED_EARLIER ? 1 + Math.floor((spread / STAMPED_EARLIER) * ARRIVAL_SPREAD_MS) : 0;
  return nominalTimeMs(plan, k) + ARRIVAL_MAX_MS - earlier;
}

/** When canary `c` reached either topic, ms. */
export function canaryArrivalMs(plan: FeedPlan, c: number): number {
  return nominalTimeMs(plan, FIRST_CANARY_AT + c * plan.canaryStep) + ARRIVAL_MAX_MS;
}

/** Kafka timestamp of position `p`. */
export function kafkaMsAt(plan: FeedPlan, p: number): number {
  const entry = entryAt(plan, p);
  return entry.what === "canary" ? canaryArrivalMs(plan, entry.c) : arrivalMs(plan, entry.k);
}

/** Kafka's offsets-for-times: the first position below `end` whose timestamp is at least `timestampMs`; null where none is. */
export function firstPositionAtOrAfter(plan: FeedPlan, timestampMs: number, end: number): number | null {
  let low = 0;
  let high = end;
  // No timestamp is later than the event's time + ARRIVAL_MAX_MS, and that bound is sorted; the last second is walked.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const k = Math.max(0, eventsBeforePosition(plan, middle));
    if (latestStamp(plan, middle, k) >= timestampMs) high = middle;
    else low = middle + 1;
  }
  for (let p = low; p < end; p += 1) if (kafkaMsAt(plan, p) >= timestampMs) return p;
  return null;
}

function latestStamp(plan: FeedPlan, p: number, k: number): number {
  const entry = entryAt(plan, p);
  return entry.what === "canary" ? canaryArrivalMs(plan, entry.c) : nominalTimeMs(plan, k) + ARRIVAL_MAX_MS;
}

/** The first position whose offset is at least `offset`, at most `end`. */
export function positionOfOffset(plan: FeedPlan, offset: number, end: number): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(plan, middle) >= offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** True where position `p` is an event whose bytes say nothing of their offset. */
export function hasNoOffset(plan: FeedPlan, p: number): boolean {
  const entry = entryAt(plan, p);
  return entry.what === "event" && isUnreadable(plan, entry.k);
}
