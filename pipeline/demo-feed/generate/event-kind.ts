import type { FeedFault } from "../../protocol/feed-options.ts";
import { type FeedPlan, nominalTimeMs } from "./feed-plan.ts";
import { mix, share } from "./random.ts";

/** What is wrong with a malformed event; each is one that no validation may let through. */
export type Flaw =
  | "half-json"
  | "not-an-object"
  | "missing-meta-id"
  | "bad-dt"
  | "wrong-type"
  | "bad-revision"
  | "wiki-domain"
  | "future-time"
  | "negative-time";

/** How event `k` turns out. `late` holds at the default lateness of 120 s. */
export type EventKind =
  | { readonly kind: "ok" | "oversized"; readonly eventTimeMs: number }
  | { readonly kind: "late"; readonly eventTimeMs: number }
  | { readonly kind: "malformed"; readonly eventTimeMs: number; readonly flaw: Flaw };

const READABLE_FLAWS: readonly [Flaw, ...Flaw[]] = [
  "missing-meta-id",
  "bad-dt",
  "wrong-type",
  "bad-revision",
  "wiki-domain",
  "future-time",
  "negative-time",
];

/** Independent hashes for independent questions about one event. */
const SALT = {
  unreadable: 1,
  flaw: 2,
  late: 3,
  lateness: 4,
  order: 5,
  disorder: 6,
  burst: 7,
  repeat: 8,
} as const;

/** One event in 1,000 is no JSON object at all; with {@link FLAW_SHARE} that makes 0.3 % malformed. */
const UNREADABLE_EVERY = 1000;
const FLAW_SHARE = 0.002;
const LATE_SHARE = 0.01;
/** Late events are this much older than their neighbours, ms: beyond the default allowed lateness of 120 s. */
const LATE_MIN_MS = 130_000;
const LATE_MAX_MS = 1_500_000;
/** Out-of-order events stay inside the default allowed lateness. */
const DISORDER_MAX_MS = 90_000;
const DISORDER_SHARE = 0.2;
/** The first events are sound, so that "late" has something to be late against. */
const SOUND_START = 12;
/** Bursts: 200 events in a row, somewhere in every 5,000. */
const BURST_LENGTH = 200;
const BURST_EVERY = 5000;
const OVERSIZED_FIRST = 150;
const OVERSIZED_EVERY = 50_000;

/** True while event `k` lies in a burst of `fault` and that fault is on. */
export function isInBurst(plan: FeedPlan, fault: FeedFault, k: number): boolean {
  if (!plan.faults.has(fault)) return false;
  const block = Math.floor(k / BURST_EVERY);
  const begin =
    250 + (mix(plan.seed, block, SALT.burst + fault.length * 16) % (BURST_EVERY - 250 - BURST_LENGTH));
  const early = block === 0 ? 250 + (begin % 500) : begin;
  const at = k - block * BURST_EVERY;
  return at >= early && at < early + BURST_LENGTH;
}

/** True where the bytes of event `k` are no JSON object. Such a record has no readable offset, so it takes none. */
export function isUnreadable(plan: FeedPlan, k: number): boolean {
  if (plan.faults.has("clean")) return false;
  const block = Math.floor(k / UNREADABLE_EVERY);
  return k - block * UNREADABLE_EVERY === unreadableIndex(plan, block);
}

/** How many of the events 0 … k − 1 are unreadable. */
export function unreadableBefore(plan: FeedPlan, k: number): number {
  if (plan.faults.has("clean")) return 0;
  const block = Math.floor(k / UNREADABLE_EVERY);
  return block + (k - block * UNREADABLE_EVERY > unreadableIndex(plan, block) ? 1 : 0);
}

function unreadableIndex(plan: FeedPlan, block: number): number {
  return SOUND_START + (mix(plan.seed, block, SALT.unreadable) % (UNREADABLE_EVERY - SOUND_START));
}

/** Decides what event `k` is. Pure. */
export function eventKind(plan: FeedPlan, k: number): EventKind {
  const eventTimeMs = nominalTimeMs(plan, k);
  if (isUnreadable(plan, k)) {
    return { kind: "malformed", eventTimeMs, flaw: k % 2 === 0 ? "half-json" : "not-an-object" };
  }
  if (plan.faults.has("oversized") && k % OVERSIZED_EVERY === OVERSIZED_FIRST)
    return { kind: "oversized", eventTimeMs };
  if (k < SOUND_START) return { kind: "ok", eventTimeMs };
  const flaw = readableFlaw(plan, k);
  if (flaw !== null) return { kind: "malformed", eventTimeMs, flaw };
  if (isLate(plan, k)) {
    const shiftMs = LATE_MIN_MS + share(plan.seed, k, SALT.lateness) * (LATE_MAX_MS - LATE_MIN_MS);
    return { kind: "late", eventTimeMs: eventTimeMs - Math.floor(shiftMs) };
  }
  return { kind: "ok", eventTimeMs: eventTimeMs - disorderMs(plan, k) };
}

function readableFlaw(plan: FeedPlan, k: number): Flaw | null {
  const isSpread = !plan.faults.has("clean") && share(plan.seed, k, SALT.flaw) < FLAW_SHARE;
  if (!isSpread && !isInBurst(plan, "malformed", k)) return null;
  return READABLE_FLAWS[mix(plan.seed, k, SALT.flaw + 100) % READABLE_FLAWS.length] ?? READABLE_FLAWS[0];
}

function isLate(plan: FeedPlan, k: number): boolean {
  return (
    (!plan.faults.has("clean") && share(plan.seed, k, SALT.late) < LATE_SHARE) || isInBurst(plan, "late", k)
  );
}

function disorderMs(plan: FeedPlan, k: number): number {
  if (!plan.faults.has("out-of-order") || share(plan.seed, k, SALT.order) >= DISORDER_SHARE) return 0;
  return Math.floor(share(plan.seed, k, SALT.disorder) * DISORDER_MAX_MS);
}

/** One pair in 100 is served A B A B, so 2 % of the events come twice within a connection. */
const PAIR_SHARE = 0.01;
const STORM_EXTRA_SERVINGS = 5;

/** How often the pair (k, k + 1) is served again right after it. */
export function extraServings(plan: FeedPlan, k: number): number {
  if (k % 2 === 0 && isInBurst(plan, "duplicates", k)) return STORM_EXTRA_SERVINGS;
  return !plan.faults.has("clean") && share(plan.seed, k, SALT.repeat) < PAIR_SHARE ? 1 : 0;
}

/** Where the events of `hole-until-asked` lie. */
export function isHiddenFromNewClients(plan: FeedPlan, k: number): boolean {
  if (!plan.faults.has("hole-until-asked")) return false;
  const begin = 600 + (plan.seed % 200);
  return k >= begin && k < begin + 7;
}
