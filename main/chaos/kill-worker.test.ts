import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { QueryRequest, QueryResponse, VerifyCheck } from "#pipeline/protocol/query-messages.ts";
import { AppError } from "#storage/model/errors.ts";
import { examplePipeline, exampleStatus, exampleWorker } from "../bridge/status.test-support.ts";
import type { Engine } from "../engine/engine-contract.ts";
import { killWorker } from "./kill-worker.ts";

const LIMITS = { reachMs: 200, recoveryMs: 300, lookMs: 1 };
const CHECKPOINT = 953;

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "highwater-kill-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const CHECK: VerifyCheck = {
  id: "I1",
  promise: "every offset is in one table",
  verdict: "ok",
  detail: "",
  examples: [],
  lost: 0,
  doubled: 0,
};

/** Workers that stop where they are told, come back when killed and commit on; each part can be made to misbehave. */
class FakeWorkers {
  readonly told: string[] = [];
  status: AppStatus = exampleStatus();
  stopsAtFailpoint: "at once" | "after the disarm" | "never" = "at once";
  commitsAgain = true;
  checks: readonly VerifyCheck[] = [CHECK];
  #killedAtMs: number | null = null;

  readonly engine: Pick<Engine, "status" | "query" | "kill" | "armFailpoint" | "disarmFailpoint"> = {
    status: () => this.status,
    armFailpoint: (worker, name) => {
      this.told.push(`arm ${worker} ${name}`);
      const reportPath = join(folder, "report.json");
      if (this.stopsAtFailpoint === "at once") this.#report(reportPath, name);
      return { armed: true, reportPath };
    },
    disarmFailpoint: () => {
      this.told.push("disarm");
      if (this.stopsAtFailpoint === "after the disarm")
        this.#report(join(folder, "report.json"), "commit-in");
    },
    kill: (worker) => {
      this.told.push(`kill ${worker}`);
      this.#killedAtMs = Date.now();
      return true;
    },
    query: async (request) => this.#answer(request),
  };

  #report(path: string, name: string): void {
    const offsets = { fromOffset: CHECKPOINT + 1, toOffset: CHECKPOINT + 20 };
    writeFileSync(path, JSON.stringify({ name, pid: 102, hit: 1, ...offsets }));
  }

  #answer(request: QueryRequest): QueryResponse {
    if (request.ask === "verify")
      return { ask: "verify", snapshotId: 27_312, verdict: "ok", checks: this.checks };
    if (request.ask === "tables") {
      const size = { rows: 901, hotRows: 901, openRows: 0, files: 0, fileBytes: 0 };
      const table = { schema: "bronze", name: "recentchange", kind: "append", columns: [], ...size } as const;
      return { ask: "tables", snapshotId: request.asOf ?? 0, tables: [table] };
    }
    if (request.ask !== "snapshots") throw new AppError("worker-protocol", `unexpected ${request.ask}`);
    const commit = {
      kind: "batch",
      sealed: false,
      source: "recentchange",
      fromOffset: 1,
      toOffset: CHECKPOINT,
    };
    const old = { ...commit, snapshotId: 27_310, commitTimeMs: Date.now() };
    if (this.#killedAtMs === null || !this.commitsAgain) return { ask: "snapshots", snapshots: [old] };
    const next = {
      ...old,
      snapshotId: 27_311,
      toOffset: CHECKPOINT + 20,
      commitTimeMs: this.#killedAtMs + 42,
    };
    return { ask: "snapshots", snapshots: [next, old] };
  }
}

test("a pipeline worker is killed only after it reported where it stopped, and the card says what came of it", async () => {
  const workers = new FakeWorkers();
  const card = await killWorker(workers.engine, "pipeline", LIMITS);
  expect(workers.told).toEqual(["arm pipeline commit-in", "kill pipeline"]);
  expect(card).toMatchObject({
    worker: "pipeline",
    verdict: "pass",
    failpoint: "commit-in",
    inFlight: { fromOffset: CHECKPOINT + 1, toOffset: CHECKPOINT + 20 },
    pid: 102,
    snapshotBefore: 27_310,
    snapshotAfter: 27_312,
    rowsBefore: 889,
    rowsAfter: 901,
    lost: 0,
    doubled: 0,
  });
  expect(card.recoveryMs).toBeGreaterThanOrEqual(42);
});

test("the time to the next commit counts only commits of what was in flight", async () => {
  const workers = new FakeWorkers();
  workers.commitsAgain = false;
  const card = await killWorker(workers.engine, "pipeline", LIMITS);
  expect(card).toMatchObject({ verdict: "fail", recoveryMs: null, lost: 0 });
});

test("a worker that never comes to the failpoint is not killed, is disarmed, and the card is inconclusive", async () => {
  const workers = new FakeWorkers();
  workers.stopsAtFailpoint = "never";
  const card = await killWorker(workers.engine, "ingest", LIMITS);
  expect(workers.told).toEqual(["arm ingest ingest-in-append", "disarm"]);
  expect(card).toMatchObject({ verdict: "inconclusive", killedAtMs: null, lost: null, doubled: null });
});

test("a worker that stopped while it was disarmed is killed all the same: nothing else brings it back", async () => {
  const workers = new FakeWorkers();
  workers.stopsAtFailpoint = "after the disarm";
  const card = await killWorker(workers.engine, "pipeline", LIMITS);
  expect(workers.told).toEqual(["arm pipeline commit-in", "disarm", "kill pipeline"]);
  expect(card.verdict).toBe("pass");
});

test("a worker that is away is inconclusive and nothing is armed", async () => {
  const workers = new FakeWorkers();
  const away = exampleWorker("pipeline", 102, { phase: { state: "backing-off", untilMs: 1 } });
  workers.status = exampleStatus({ workers: [away], pipeline: examplePipeline() });
  const card = await killWorker(workers.engine, "pipeline", LIMITS);
  expect(workers.told).toEqual([]);
  expect(card).toMatchObject({ verdict: "inconclusive", pid: null });
});

test("the query worker is killed as it is, and is back with its next answer", async () => {
  const workers = new FakeWorkers();
  const card = await killWorker(workers.engine, "query", LIMITS);
  expect(workers.told).toEqual(["kill query"]);
  expect(card).toMatchObject({ verdict: "pass", failpoint: null, inFlight: null });
});

test("a second kill is refused while the first is being proven", async () => {
  const workers = new FakeWorkers();
  const first = killWorker(workers.engine, "pipeline", LIMITS);
  await expect(killWorker(workers.engine, "ingest", LIMITS)).rejects.toMatchObject({ code: "usage" });
  await first;
});
