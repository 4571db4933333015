import type { QueryResponse } from "#pipeline/protocol/query-messages.ts";
import type { KillCard } from "#main/contract/kill-card.ts";

/** What `verify` said after a kill. */
export type Verified = Omit<Extract<QueryResponse, { readonly ask: "verify" }>, "ask">;

/** What was seen of a kill that was carried out. */
export type KillFacts = {
  readonly recoveryMs: number | null;
  /** How long recovery was waited for, ms. */
  readonly recoveryLimitMs: number;
  /** Null where `verify` could not be asked. */
  readonly verified: Verified | null;
};

/** The part of a card that is judged and not observed. */
export type KillVerdict = Pick<KillCard, "verdict" | "reason" | "lost" | "doubled" | "snapshotAfter">;

/** Checks whose "cannot tell" leaves open whether something is lost or doubled; the other checks speak of something else. */
const COUNTING_CHECKS: ReadonlySet<string> = new Set(["I1", "dedup", "log", "in-flight"]);

/**
 * The verdict on a kill: `pass` only when it recovered and every promise was recomputed and held. A broken promise of any kind
 * fails it; what cannot be told makes it inconclusive.
 */
export function judgeKill({ recoveryMs, recoveryLimitMs, verified }: KillFacts): KillVerdict {
  if (verified === null) {
    const reason = "the lake could not be verified, so nothing is known of what was lost";
    return { verdict: "inconclusive", reason, lost: null, doubled: null, snapshotAfter: null };
  }
  const { snapshotId: snapshotAfter, checks } = verified;
  const isCounted = !checks.some(({ id, verdict }) => COUNTING_CHECKS.has(id) && verdict === "cannot-tell");
  const lost = isCounted ? total(checks.map((check) => check.lost)) : null;
  const doubled = isCounted ? total(checks.map((check) => check.doubled)) : null;
  const found = { lost, doubled, snapshotAfter };
  const broken = checks.find(({ verdict }) => verdict === "broken");
  if (broken !== undefined) {
    return { verdict: "fail", reason: `broken: ${broken.promise} (${broken.detail})`, ...found };
  }
  if (recoveryMs === null) {
    const reason = `nothing new was committed within ${recoveryLimitMs / 1_000} s after the kill`;
    return { verdict: "fail", reason, ...found };
  }
  const open = checks.find(({ verdict }) => verdict === "cannot-tell");
  if (open !== undefined) {
    return { verdict: "inconclusive", reason: `cannot tell: ${open.promise} (${open.detail})`, ...found };
  }
  const reason = `all ${checks.length} promises of the lake were recomputed and hold`;
  return { verdict: "pass", reason, ...found };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
