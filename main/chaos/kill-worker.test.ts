import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { QueryRequest, QueryResponse, VerifyCheck } from "#pipeline/protocol/query-messages.ts";
import { AppError } from "#storage/model/errors.ts";
import { fakeEngine } from "../bridge/engine.test-support.ts";
import { examplePipeline, exampleStatus } from "../bridge/status.test-support.ts";
import type { Engine } from "../engine/engine-contract.ts";
import { killWorker } from "./kill-worker.ts";

const LIMITS = { reachMs: 60, recoveryMs: 60 };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "highwater-kill-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function check(id: string, verdict: VerifyCheck["verdict"] = "ok"): VerifyCheck {
  return {
    id,
    promise: id,
    verdict,
    detail: "1 broken; 40 offsets",
    examples: verdict === "ok" ? [] : ["x"],
  };
}

type Fake = {
  reaches?: boolean;
  away?: boolean;
  /** Checkpoints told after the kill. */
  checkpoints?: readonly number[];
  checks?: readonly VerifyCheck[];
  answer?: (request: QueryRequest) => QueryResponse | AppError;
};

/** An engine whose worker stops with offsets 954 to 960 in flight (its last status said 953). */
function engineWith(fake: Fake): { engine: Engine; killed: string[]; hits: number[] } {
  const killed: string[] = [];
  const hits: number[] = [];
  const checks = fake.checks ?? [check("I1"), check("dedup")];
  const { engine, announce } = fakeEngine(
    fake.answer ??
      (({ ask }) =>
        ask === "verify"
          ? { ask, snapshotId: 27_330, verdict: "ok", checks }
          : ask === "snapshots"
            ? { ask, snapshots: [] }
            : { ask: "tables", snapshotId: 27_330, tables: [] }),
  );
  const reportPath = join(folder, "report.json");
  const faked: Engine = {
    ...engine,
    armFailpoint: (_worker, name, hit) => {
      if (fake.away === true) return { armed: false, reason: "the worker is away (backing-off)" };
      hits.push(hit);
      const report = { name, pid: 4_711, hit: 1, fromOffset: 954, toOffset: 960 };
      if (fake.reaches !== false) writeFileSync(reportPath, JSON.stringify(report));
      return { armed: true, reportPath };
    },
    kill: (worker) => {
      killed.push(worker);
      setTimeout(() => {
        for (const checkpoint of fake.checkpoints ?? [953, 961])
          announce(exampleStatus({ pipeline: examplePipeline({ checkpoint }) }));
      }, 5);
      return true;
    },
  };
  return { engine: faked, killed, hits };
}

describe("kill a worker", () => {
  test("stops it inside its work, kills it there and passes when it commits anew and verify is content", async () => {
    const { engine, killed } = engineWith({});
    const card = await killWorker(engine, "pipeline", LIMITS);
    expect(card).toMatchObject({
      verdict: "pass",
      failpoint: "commit-in",
      inFlight: { fromOffset: 954, toOffset: 960 },
      pid: 4_711,
      snapshotBefore: 27_310,
      snapshotAfter: 27_330,
      rowsBefore: 889,
      lost: 0,
      doubled: 0,
    });
    expect(card.recoveryMs).toBeGreaterThan(0);
    expect(killed).toEqual(["pipeline"]);
  });

  test("kills nothing where the worker is away", async () => {
    const { engine, killed } = engineWith({ away: true });
    const card = await killWorker(engine, "pipeline", LIMITS);
    expect(card).toMatchObject({ verdict: "inconclusive", killedAtMs: null, lost: null });
    expect(card.reason).toContain("backing-off");
    expect(killed).toEqual([]);
  });

  test("kills nothing where the place is not reached, and takes the failpoint back", async () => {
    const { engine, killed, hits } = engineWith({ reaches: false });
    const card = await killWorker(engine, "ingest", LIMITS);
    expect(card).toMatchObject({ verdict: "inconclusive", killedAtMs: null, failpoint: "ingest-in-append" });
    expect(killed).toEqual([]);
    expect(hits).toEqual([1, Number.MAX_SAFE_INTEGER]);
  });

  test("is inconclusive where nothing new is committed in time: an old checkpoint is no recovery", async () => {
    const { engine } = engineWith({ checkpoints: [953] });
    expect(await killWorker(engine, "pipeline", LIMITS)).toMatchObject({
      verdict: "inconclusive",
      recoveryMs: null,
    });
  });

  test("fails where verify finds a broken promise, and is inconclusive where verify cannot tell", async () => {
    const broken = engineWith({ checks: [check("I1"), check("dedup"), check("I7", "broken")] });
    expect(await killWorker(broken.engine, "pipeline", LIMITS)).toMatchObject({ verdict: "fail", lost: 0 });
    const unknown = engineWith({ checks: [check("I1"), check("dedup"), check("gaps", "cannot-tell")] });
    expect(await killWorker(unknown.engine, "pipeline", LIMITS)).toMatchObject({
      verdict: "inconclusive",
      lost: null,
      doubled: 0,
    });
  });

  test("a query worker counts as back when it answers; without an answer it fails", async () => {
    const { engine } = engineWith({});
    expect(await killWorker(engine, "query", LIMITS)).toMatchObject({ verdict: "pass", failpoint: null });
    const gone = engineWith({ answer: () => new AppError("worker-gone", "it is away") });
    expect(await killWorker(gone.engine, "query", LIMITS)).toMatchObject({
      verdict: "fail",
      recoveryMs: null,
    });
  });

  test("refuses a second kill while one is under way, and allows the next one after it", async () => {
    const { engine } = engineWith({});
    const first = killWorker(engine, "pipeline", LIMITS);
    await expect(killWorker(engine, "query", LIMITS)).rejects.toMatchObject({ kind: "user" });
    await first;
    expect(await killWorker(engine, "query", LIMITS)).toMatchObject({ verdict: "pass" });
  });
});
