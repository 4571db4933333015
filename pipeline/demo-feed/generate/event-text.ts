import { changeEvent, type ChangeEvent } from "./change-event.ts";
import { eventKind, type Flaw } from "./event-kind.ts";
import { type FeedPlan, IDLE_TOPIC, SERVED_TOPIC, STREAM } from "./feed-plan.ts";
import {
  canariesBeforeEvent,
  canaryArrivalMs,
  idleOffset,
  offsetAt,
  positionCount,
  positionOfEvent,
} from "./positions.ts";
import { mix, Random, runUuid, uuidFrom } from "./random.ts";

/** `oversized`: the size of the comment, above the 10 MiB that readers accept. */
const OVERSIZED_BYTES = 11 * 1024 * 1024;
/** 17 September 2099: beyond any received time. */
const FAR_FUTURE_SECONDS = 4_093_286_400;

/** The data of event `k` as text, the same at every call. */
export function eventText(plan: FeedPlan, k: number): string {
  const kind = eventKind(plan, k);
  const event = changeEvent(plan, k, kind);
  if (kind.kind === "malformed") return flawedText(event, kind.flaw);
  if (kind.kind === "oversized") event["comment"] = "x".repeat(OVERSIZED_BYTES);
  return JSON.stringify(event);
}

function flawedText(event: ChangeEvent, flaw: Flaw): string {
  switch (flaw) {
    case "half-json": {
      // Ends in front of `meta.offset`, and differs from every other one by its ids.
      const whole = JSON.stringify(event);
      return whole.slice(0, whole.indexOf('"dt":') + 12);
    }
    case "not-an-object":
      return JSON.stringify([event.meta["id"], event["title"], event["timestamp"]]);
    case "missing-meta-id":
      event.meta["id"] = undefined;
      break;
    case "bad-dt":
      event.meta["dt"] = 17_092_026;
      break;
    case "wrong-type":
      event["title"] = 42;
      event["bot"] = "no";
      break;
    case "bad-revision":
      // An absent revision is normal in some eras; one that is no revision is not.
      event["revision"] = { old: 0, new: 0 };
      break;
    case "wiki-domain":
      event["wiki"] = event["wiki"] === "enwiki" ? "dewiki" : "enwiki";
      event.meta["domain"] = event["wiki"] === "enwiki" ? "en.wikipedia.org" : "de.wikipedia.org";
      break;
    case "future-time":
      event["timestamp"] = FAR_FUTURE_SECONDS;
      break;
    case "negative-time":
      event["timestamp"] = -1;
      break;
  }
  return JSON.stringify(event);
}

/** `meta.id` of canary `c` of a topic. */
export function canaryId(plan: FeedPlan, topic: string, c: number): string {
  return runUuid(plan.seed, plan.startMs, c, topic === SERVED_TOPIC ? 40 : 41);
}

/** The data of canary `c`: only `$schema` and `meta`, as recentchange's have it. */
export function canaryText(plan: FeedPlan, topic: string, c: number): string {
  const random = new Random(mix(plan.seed, c, 42));
  return JSON.stringify({
    $schema: "/mediawiki/recentchange/1.0.0",
    meta: {
      uri: "https://canary.example.org/wiki/Canary",
      request_id: uuidFrom(random),
      id: canaryId(plan, topic, c),
      dt: new Date(canaryArrivalMs(plan, c)).toISOString(),
      domain: "canary",
      stream: STREAM,
      topic,
      partition: 0,
      offset: topic === IDLE_TOPIC ? idleOffset(c) : offsetAt(plan, canaryPosition(plan, c)),
    },
  });
}

/** The position of canary `c` in the served topic. */
export function canaryPosition(plan: FeedPlan, c: number): number {
  const inside = Number.isFinite(plan.events)
    ? canariesBeforeEvent(plan, plan.events - 1)
    : Number.POSITIVE_INFINITY;
  if (c < inside) return positionOfEvent(plan, 20 + c * plan.canaryStep) - 1;
  return positionCount(plan) + (c - inside);
}
