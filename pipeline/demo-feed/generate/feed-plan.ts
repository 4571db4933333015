import type { FeedFault } from "../../protocol/feed-options.ts";

/** What every byte of the feed is a function of, beside the event's number. */
export type FeedPlan = {
  readonly seed: number;
  /** T0, ms since 1970 UTC. */
  readonly startMs: number;
  /** Events per second of event time. */
  readonly eventRate: number;
  /** Distinct events; Infinity = without end. */
  readonly events: number;
  /** Events between two canaries of a topic, at least 2. */
  readonly canaryStep: number;
  readonly faults: ReadonlySet<FeedFault>;
};

/** The data centre that serves, and the idle one that only carries canaries. */
export const SERVED_TOPIC = "eqiad.mediawiki.recentchange";
export const IDLE_TOPIC = "codfw.mediawiki.recentchange";
export const STREAM = "mediawiki.recentchange";

/** Wikimedia's timer sends canaries every 15 minutes. */
export const DEFAULT_CANARY_INTERVAL_MS = 900_000;

/** How many events lie between two canaries. */
export function canaryStepOf(intervalMs: number, eventRate: number): number {
  return Math.max(2, Math.round((intervalMs * eventRate) / 1000));
}

/** When event `k` happened if it is not late: T0 + k / event rate, in ms, whole. */
export function nominalTimeMs(plan: FeedPlan, k: number): number {
  return plan.startMs + Math.floor((k * 1000) / plan.eventRate);
}
