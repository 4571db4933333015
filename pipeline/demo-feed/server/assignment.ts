import { IDLE_TOPIC, SERVED_TOPIC, type FeedPlan } from "../generate/feed-plan.ts";
import {
  canariesBeforePosition,
  canaryArrivalMs,
  firstPositionAtOrAfter,
  idleCanaryAt,
  idleOffset,
  offsetAt,
  positionOfOffset,
} from "../generate/positions.ts";

/** Where one topic is read from: the next thing to serve, and what the SSE id says until something was served. */
export type TopicStart = { readonly next: number; readonly initialOffset: number };

/** Where a connection begins. A topic that is null is not consumed at all. `served` counts positions, `idle` canaries. */
export type Assignment = { readonly served: TopicStart | null; readonly idle: TopicStart | null };

/** One item of a Last-Event-ID, after its checks. */
export type ResumeItem = {
  readonly topic: string;
  readonly offset: number | undefined;
  readonly timestamp: number | undefined;
};

/** What a Last-Event-ID asks for, or why it is refused. */
export type ResumeRequest =
  | { readonly ok: true; readonly items: readonly ResumeItem[] }
  | { readonly ok: false; readonly status: 400 | 404; readonly message: string };

/** Kafka's "latest" and "earliest". */
const LATEST = -1;
const EARLIEST = -2;

/** Reads a Last-Event-ID as KafkaSSE does: a JSON list, not empty, of topic names or of {topic, partition, offset | timestamp}. */
export function parseLastEventId(header: string): ResumeRequest {
  let value: unknown;
  try {
    value = JSON.parse(header);
  } catch {
    return refused(400, "Last-Event-ID is not valid JSON");
  }
  if (!Array.isArray(value) || value.length === 0) {
    return refused(400, "Last-Event-ID must be a non-empty JSON array of topic assignments");
  }
  const items: ResumeItem[] = [];
  for (const entry of value as readonly unknown[]) {
    const item = resumeItem(entry);
    if (item === null) return refused(400, "each assignment needs topic, partition and offset or timestamp");
    if (item.topic !== SERVED_TOPIC && item.topic !== IDLE_TOPIC) {
      return refused(404, `topic ${item.topic} is not available in this stream`);
    }
    items.push(item);
  }
  return { ok: true, items: withoutAmbiguous(items) };
}

function refused(status: 400 | 404, message: string): ResumeRequest {
  return { ok: false, status, message };
}

function resumeItem(entry: unknown): ResumeItem | null {
  if (typeof entry === "string") return { topic: entry, offset: LATEST, timestamp: undefined };
  if (typeof entry !== "object" || entry === null) return null;
  if (!("topic" in entry) || typeof entry.topic !== "string") return null;
  // Every topic has the one partition 0; Kafka knows no other.
  if (!("partition" in entry) || entry.partition !== 0) return null;
  const offset = "offset" in entry ? wholeNumber(entry.offset) : undefined;
  const timestamp = "timestamp" in entry ? wholeNumber(entry.timestamp) : undefined;
  if (offset === undefined && timestamp === undefined) return null;
  return { topic: entry.topic, offset, timestamp };
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}

/** The server's own code drops items that name both as soon as any item names only a timestamp (its manual says otherwise). */
function withoutAmbiguous(items: readonly ResumeItem[]): readonly ResumeItem[] {
  const hasTimestampOnly = items.some((item) => item.offset === undefined);
  return hasTimestampOnly
    ? items.filter((item) => item.offset === undefined || item.timestamp === undefined)
    : items;
}

/** Begins where a Last-Event-ID says; `end` = positions that exist by now. */
export function resumeAt(plan: FeedPlan, items: readonly ResumeItem[], end: number): Assignment {
  let served: TopicStart | null = null;
  let idle: TopicStart | null = null;
  for (const item of items) {
    if (item.topic === SERVED_TOPIC) served = servedStart(plan, item, end);
    else idle = idleStart(plan, item, end);
  }
  return { served, idle };
}

/** Begins both topics at a time, as `since` does; a time beyond the end begins at the end. */
export function sinceAt(plan: FeedPlan, timestampMs: number, end: number): Assignment {
  const item = { offset: undefined, timestamp: timestampMs };
  return resumeAt(
    plan,
    [SERVED_TOPIC, IDLE_TOPIC].map((topic) => ({ topic, ...item })),
    end,
  );
}

/** Begins both topics at `position`: 0 for who comes first, the end for who comes later. */
export function startAt(plan: FeedPlan, position: number): Assignment {
  return {
    served: { next: position, initialOffset: LATEST },
    idle: { next: canariesBeforePosition(plan, position), initialOffset: LATEST },
  };
}

function servedStart(plan: FeedPlan, item: ResumeItem, end: number): TopicStart {
  if (item.offset !== undefined) {
    const next = startOfOffset(item.offset, end, offsetAt(plan, end), (offset) =>
      positionOfOffset(plan, offset, end),
    );
    return { next, initialOffset: item.offset };
  }
  const next = firstPositionAtOrAfter(plan, item.timestamp ?? 0, end);
  return next === null ? { next: end, initialOffset: LATEST } : { next, initialOffset: offsetAt(plan, next) };
}

function idleStart(plan: FeedPlan, item: ResumeItem, end: number): TopicStart {
  const produced = canariesBeforePosition(plan, end);
  if (item.offset !== undefined) {
    const next = startOfOffset(item.offset, produced, idleOffset(produced), idleCanaryAt);
    return { next, initialOffset: item.offset };
  }
  const timestampMs = item.timestamp ?? 0;
  for (let c = 0; c < produced; c += 1) {
    if (canaryArrivalMs(plan, c) >= timestampMs) return { next: c, initialOffset: idleOffset(c) };
  }
  return { next: produced, initialOffset: LATEST };
}

/** Kafka's rule for an offset out of range is "latest"; below the range there is nothing lost here, so it is "earliest". */
function startOfOffset(
  offset: number,
  end: number,
  endOffset: number,
  locate: (offset: number) => number,
): number {
  if (offset === EARLIEST) return 0;
  return offset < 0 || offset >= endOffset ? end : locate(offset);
}
