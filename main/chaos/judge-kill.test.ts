import { describe, expect, test } from "vitest";
import type { VerifyCheck } from "#pipeline/protocol/query-messages.ts";
import { judgeKill, type KillFacts } from "./judge-kill.ts";

function check(id: string, more: Partial<VerifyCheck> = {}): VerifyCheck {
  return {
    id,
    promise: `promise ${id}`,
    verdict: "ok",
    detail: "9 rows",
    examples: [],
    lost: 0,
    doubled: 0,
    ...more,
  };
}

function facts(checks: readonly VerifyCheck[], more: Partial<KillFacts> = {}): KillFacts {
  const verified = { snapshotId: 9, verdict: "ok" as const, checks };
  return { recoveryMs: 300, recoveryLimitMs: 30_000, verified, ...more };
}

describe("a kill passes", () => {
  test("when it recovered and every promise holds", () => {
    const judged = judgeKill(facts([check("I1"), check("dedup")]));
    expect(judged).toMatchObject({ verdict: "pass", lost: 0, doubled: 0, snapshotAfter: 9 });
  });
});

describe("a kill fails", () => {
  test("when records are lost or doubled, and says how many", () => {
    const broken = check("I1", { verdict: "broken", lost: 3, doubled: 1 });
    const judged = judgeKill(
      facts([check("log"), broken, check("dedup", { verdict: "broken", doubled: 2 })]),
    );
    expect(judged).toMatchObject({ verdict: "fail", lost: 3, doubled: 3 });
    expect(judged.reason).toContain("promise I1");
  });
  test("when a promise is broken that counts neither", () => {
    const judged = judgeKill(facts([check("I1"), check("I7", { verdict: "broken" })]));
    expect(judged).toMatchObject({ verdict: "fail", lost: 0, doubled: 0 });
    expect(judged.reason).toContain("promise I7");
  });
  test("when nothing new was committed in time", () => {
    const judged = judgeKill(facts([check("I1")], { recoveryMs: null }));
    expect(judged).toMatchObject({ verdict: "fail", lost: 0 });
    expect(judged.reason).toContain("30 s");
  });
});

describe("a kill is inconclusive", () => {
  test("when the lake could not be verified", () => {
    const judged = judgeKill(facts([], { verified: null }));
    expect(judged).toMatchObject({ verdict: "inconclusive", lost: null, doubled: null });
  });
  test("when a check that counts cannot tell, without numbers", () => {
    const judged = judgeKill(facts([check("I1"), check("in-flight", { verdict: "cannot-tell" })]));
    expect(judged).toMatchObject({ verdict: "inconclusive", lost: null, doubled: null });
  });
  test("when another check cannot tell, with the numbers that were counted", () => {
    const judged = judgeKill(facts([check("I1"), check("gaps", { verdict: "cannot-tell" })]));
    expect(judged).toMatchObject({ verdict: "inconclusive", lost: 0, doubled: 0 });
    expect(judged.reason).toContain("promise gaps");
  });
});
