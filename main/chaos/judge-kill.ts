import type { VerifyCheck } from "#pipeline/protocol/query-messages.ts";
import type { KillCard } from "../contract/kill-card.ts";

/** What `verify` counted; null where it could not be counted. */
export type Losses = Pick<KillCard, "lost" | "doubled">;

/** What was seen of a kill that did happen. */
export type KillSeen = {
  readonly worker: KillCard["worker"];
  /** Null for a worker without a failpoint, and where it did not say. */
  readonly inFlight: KillCard["inFlight"];
  readonly recoveryMs: number | null;
  readonly recoveryLimitMs: number;
  /** Null where `verify` could not be asked. */
  readonly checks: readonly VerifyCheck[] | null;
};

/** Checks that say where records are; a broken one of another kind is no loss and no double, but a failure all the same. */
const PLACES = "I1";
const IDS = "dedup";
/** Checks that, while they cannot tell, leave open whether a record is missing. */
const LEAVES_LOSS_OPEN = new Set([PLACES, "gaps", "log"]);

/**
 * Counts records that are in no table, and offsets or ids that are in one twice. Examples of a check are at most twenty:
 * where more broke than are named, the kinds cannot be told apart and nothing is counted.
 */
export function countLosses(checks: readonly VerifyCheck[]): Losses {
  const places = checks.filter((check) => kindOf(check) === PLACES);
  const ids = checks.filter((check) => kindOf(check) === IDS);
  if (places.length === 0 || ids.length === 0) return { lost: null, doubled: null };
  const isWhole = [...places, ...ids].every(
    ({ verdict, detail, examples }) =>
      verdict === "ok" || (verdict === "broken" && detail.startsWith(`${examples.length} broken;`)),
  );
  if (!isWhole) return { lost: null, doubled: null };
  const named = places.flatMap(({ examples }) => examples);
  // The tables end before or behind the checkpoint: how many records that are is not said.
  const isEndWrong = named.some((example) => example.startsWith("ends at "));
  const isLossOpen = checks.some(
    (check) => check.verdict === "cannot-tell" && LEAVES_LOSS_OPEN.has(kindOf(check)),
  );
  const missing = named.filter((example) => example.endsWith("in no table")).length;
  const twice = named.filter((example) => / in .+, /.test(example)).length;
  const again = ids
    .flatMap(({ examples }) => examples)
    .filter((example) => example.endsWith(" again")).length;
  return { lost: isEndWrong || isLossOpen ? null : missing, doubled: twice + again };
}

/** A lake of several sources names its checks `source/id`. */
function kindOf(check: VerifyCheck): string {
  return check.id.slice(check.id.lastIndexOf("/") + 1);
}

function nameAll(checks: readonly VerifyCheck[], verdict: VerifyCheck["verdict"]): string {
  return checks
    .filter((check) => check.verdict === verdict)
    .map(({ id, detail }) => `${id} (${detail})`)
    .join(", ");
}

/** The verdict on a kill that happened. A failure of the data outranks everything; what was not seen is never a pass. */
export function judgeKill(seen: KillSeen): Pick<KillCard, "verdict" | "reason"> & Losses {
  const losses = seen.checks === null ? { lost: null, doubled: null } : countLosses(seen.checks);
  return { ...(judgeData(seen.checks) ?? judgeReturn(seen) ?? judgeKnowledge(seen, losses)), ...losses };
}

type Judged = Pick<KillCard, "verdict" | "reason">;

function judgeData(checks: KillSeen["checks"]): Judged | null {
  if (checks?.some(({ verdict }) => verdict === "broken") !== true) return null;
  return { verdict: "fail", reason: `verify found a broken promise: ${nameAll(checks, "broken")}.` };
}

function judgeReturn({ worker, recoveryMs, recoveryLimitMs }: KillSeen): Judged | null {
  if (recoveryMs !== null) return null;
  const limit = `${recoveryLimitMs / 1_000} s`;
  if (worker === "query")
    return { verdict: "fail", reason: `The query worker did not answer again within ${limit}.` };
  const done = worker === "ingest" ? "received" : "committed";
  return { verdict: "inconclusive", reason: `Nothing new was ${done} within ${limit} of the kill.` };
}

function judgeKnowledge({ worker, inFlight, checks }: KillSeen, { lost, doubled }: Losses): Judged {
  const unknown = (reason: string): Judged => ({ verdict: "inconclusive", reason });
  if (checks === null) return unknown("verify could not be asked afterwards.");
  if (checks.some(({ verdict }) => verdict === "cannot-tell"))
    return unknown(`verify cannot tell: ${nameAll(checks, "cannot-tell")}.`);
  if (lost !== 0 || doubled !== 0) return unknown("verify did not say where every record is.");
  if (worker === "query")
    return { verdict: "pass", reason: "It answered again, and every record is in the lake once." };
  if (inFlight === null) return unknown("The worker did not say that records were in flight.");
  const reason = "Stopped inside its work, killed there, and every record is in the lake once.";
  return { verdict: "pass", reason };
}
