import { startAt } from "#pipeline/demo-feed/server/assignment.ts";
import {
  canaryStepOf,
  DEFAULT_CANARY_INTERVAL_MS,
  type FeedPlan,
} from "#pipeline/demo-feed/generate/feed-plan.ts";
import { positionCount } from "#pipeline/demo-feed/generate/positions.ts";
import { FrameSource } from "#pipeline/demo-feed/server/frame-source.ts";

/** T0 of every corpus, so that two runs measure the same bytes: 29 November 2026, 00:00 UTC. */
const START_MS = Date.UTC(2026, 10, 29);
const SEED = 1;

/** A feed of `events` distinct events at `eventRate` of event time, with the demo feed's default mix of flaws. */
export function corpusPlan(events: number, eventRate: number): FeedPlan {
  return {
    seed: SEED,
    startMs: START_MS,
    eventRate,
    events,
    canaryStep: canaryStepOf(DEFAULT_CANARY_INTERVAL_MS, eventRate),
    faults: new Set(),
  };
}

/** One record as a client of the feed receives it. */
export type CorpusFrame = { readonly id: string; readonly data: string };

/** Every frame that a client would be served from the first event on: duplicates, late, malformed and canaries included. */
export function* corpusFrames(plan: FeedPlan): Generator<CorpusFrame> {
  const end = positionCount(plan);
  const frames = new FrameSource(plan, startAt(plan, 0), false);
  for (let frame = frames.next(end); frame !== null; frame = frames.next(end)) yield frame;
}
