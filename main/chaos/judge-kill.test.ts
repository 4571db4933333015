import { describe, expect, test } from "vitest";
import type { VerifyCheck } from "#pipeline/protocol/query-messages.ts";
import { countLosses, judgeKill, type KillSeen } from "./judge-kill.ts";

function check(id: string, verdict: VerifyCheck["verdict"] = "ok", examples: string[] = []): VerifyCheck {
  const detail = verdict === "ok" ? "40 offsets" : `${examples.length} broken; 40 offsets`;
  return { id, promise: id, verdict, detail, examples };
}

const FINE = [check("I1"), check("dedup"), check("gaps")];

function seen(more: Partial<KillSeen> = {}): KillSeen {
  return {
    worker: "pipeline",
    inFlight: { fromOffset: 11, toOffset: 20 },
    recoveryMs: 400,
    recoveryLimitMs: 30_000,
    checks: FINE,
    ...more,
  };
}

describe("judge a kill", () => {
  test("passes only with a range in flight, a recovery and a verification that says where every record is", () => {
    expect(judgeKill(seen())).toMatchObject({ verdict: "pass", lost: 0, doubled: 0 });
    expect(judgeKill(seen({ inFlight: null })).verdict).toBe("inconclusive");
    expect(judgeKill(seen({ recoveryMs: null })).verdict).toBe("inconclusive");
    expect(judgeKill(seen({ checks: null }))).toMatchObject({ verdict: "inconclusive", lost: null });
    expect(judgeKill(seen({ checks: [check("bytes")] }))).toMatchObject({ verdict: "inconclusive" });
  });

  test("a query worker has nothing in flight; one that does not answer again is a failure", () => {
    expect(judgeKill(seen({ worker: "query", inFlight: null })).verdict).toBe("pass");
    expect(judgeKill(seen({ worker: "query", inFlight: null, recoveryMs: null })).verdict).toBe("fail");
  });

  test("counts records in no table as lost, places and ids seen twice as doubled, also with a source's name before", () => {
    const broken = [
      check("demo/I1", "broken", ["7 in no table", "8 in no table", "9 in bronze.changes, control"]),
      check("demo/dedup", "broken", ["12: id-4 again", "13 discarded as a duplicate of nothing: id-5"]),
    ];
    expect(countLosses(broken)).toEqual({ lost: 2, doubled: 2 });
    expect(judgeKill(seen({ checks: broken }))).toMatchObject({ verdict: "fail", lost: 2, doubled: 2 });
  });

  test("counts nothing where more broke than the examples name, or where the end is wrong", () => {
    const many = { ...check("I1", "broken", ["7 in no table"]), detail: "90 broken; 40 offsets" };
    expect(countLosses([many, check("dedup")])).toEqual({ lost: null, doubled: null });
    const end = check("I1", "broken", ["ends at 30, checkpoint 40"]);
    expect(countLosses([end, check("dedup")])).toEqual({ lost: null, doubled: 0 });
  });

  test("a broken promise of another kind fails the kill and is named", () => {
    const verdict = judgeKill(
      seen({ checks: [...FINE, check("I3", "broken", ["silver"])], recoveryMs: null }),
    );
    expect(verdict).toMatchObject({ verdict: "fail", lost: 0, doubled: 0 });
    expect(verdict.reason).toContain("I3");
  });

  test("what verify cannot tell is inconclusive, and an open hole leaves the loss uncounted", () => {
    const checks = [check("I1"), check("dedup"), check("gaps", "cannot-tell", ["eqiad 4–5: open"])];
    const verdict = judgeKill(seen({ checks }));
    expect(verdict).toMatchObject({ verdict: "inconclusive", lost: null, doubled: 0 });
    expect(verdict.reason).toContain("gaps");
  });
});
