import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { KillableWorker, KillCard, KillProgress, KillStep } from "#main/contract/kill-card.ts";
import type { WorkerName } from "#pipeline/protocol/worker-messages.ts";
import type { QueryRequest, QueryResponse, VerifyCheck } from "#pipeline/protocol/query-messages.ts";
import { AppError } from "#storage/model/errors.ts";
import {
  exampleIngest,
  examplePipeline,
  exampleStatus,
  exampleWorker,
} from "../bridge/status.test-support.ts";
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
  readonly steps: KillStep[] = [];
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
      this.#comeBack(worker);
      return true;
    },
    query: async (request) => this.#answer(request),
  };

  #report(path: string, name: string): void {
    const offsets = { fromOffset: CHECKPOINT + 1, toOffset: CHECKPOINT + 20 };
    writeFileSync(path, JSON.stringify({ name, pid: 102, hit: 1, ...offsets }));
  }

  /** The next process, and for the feed a new connection of ingest to it. */
  #comeBack(killed: WorkerName): void {
    const { workers, ingest } = this.status;
    const connections = (ingest?.connections ?? 0) + (killed === "feed" ? 1 : 0);
    this.status = {
      ...this.status,
      workers: workers.map((one) => (one.name === killed ? exampleWorker(killed, 999) : one)),
      ingest: ingest === null ? null : { ...ingest, connections, head: CHECKPOINT },
    };
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

function prove(workers: FakeWorkers, worker: KillableWorker): Promise<KillCard> {
  const onStep = ({ reached }: KillProgress): void => void workers.steps.push(reached);
  return killWorker(workers.engine, worker, { nth: 3, limits: LIMITS, onStep });
}

test("a pipeline worker is killed only after it reported where it stopped, and the card says what came of it", async () => {
  const workers = new FakeWorkers();
  const card = await prove(workers, "pipeline");
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
  expect(card).toMatchObject({ recoveryMs: 42, nth: 3 });
});

test("the time to the next commit counts only commits of what was in flight", async () => {
  const workers = new FakeWorkers();
  workers.commitsAgain = false;
  const card = await prove(workers, "pipeline");
  expect(card).toMatchObject({ verdict: "fail", recoveryMs: null, lost: 0 });
});

test("a worker that never comes to the failpoint is not killed, is disarmed, and the card is inconclusive", async () => {
  const workers = new FakeWorkers();
  workers.stopsAtFailpoint = "never";
  const card = await prove(workers, "ingest");
  expect(workers.told).toEqual(["arm ingest ingest-in-append", "disarm"]);
  expect(card).toMatchObject({ verdict: "inconclusive", killedAtMs: null, lost: null, doubled: null });
});

test("a worker that stopped while it was disarmed is killed all the same: nothing else brings it back", async () => {
  const workers = new FakeWorkers();
  workers.stopsAtFailpoint = "after the disarm";
  const card = await prove(workers, "pipeline");
  expect(workers.told).toEqual(["arm pipeline commit-in", "disarm", "kill pipeline"]);
  expect(card.verdict).toBe("pass");
});

test("a worker that is away is inconclusive and nothing is armed", async () => {
  const workers = new FakeWorkers();
  const away = exampleWorker("pipeline", 102, { phase: { state: "backing-off", untilMs: 1 } });
  workers.status = exampleStatus({ workers: [away], pipeline: examplePipeline() });
  const card = await prove(workers, "pipeline");
  expect(workers.told).toEqual([]);
  expect(card).toMatchObject({ verdict: "inconclusive", pid: null });
});

test("the query worker is killed as it is, and is back with its next answer", async () => {
  const workers = new FakeWorkers();
  const card = await prove(workers, "query");
  expect(workers.told).toEqual(["kill query"]);
  expect(card).toMatchObject({ verdict: "pass", failpoint: null, inFlight: null });
});

test("every step is told, with what is known by then", async () => {
  const workers = new FakeWorkers();
  await prove(workers, "pipeline");
  expect(workers.steps).toEqual(["asked", "armed", "stopped", "killed", "back", "committed"]);
});

test("the feed is killed as it is, and recovered with the first commit that came over a new connection", async () => {
  const workers = new FakeWorkers();
  workers.status = exampleStatus({
    workers: [...exampleStatus().workers, exampleWorker("feed", 104)],
    ingest: exampleIngest({ head: CHECKPOINT }),
  });
  const card = await prove(workers, "feed");
  expect(workers.told).toEqual(["kill feed"]);
  expect(workers.steps).toEqual(["asked", "killed", "back", "committed"]);
  expect(card).toMatchObject({ verdict: "pass", failpoint: null, pid: 104, recoveryMs: 42 });
});

test("a planted loss makes the card fail, however fast it came back", async () => {
  const workers = new FakeWorkers();
  workers.checks = [{ ...CHECK, verdict: "broken", lost: 2, doubled: 1, detail: "offsets 960, 961" }];
  const card = await prove(workers, "pipeline");
  expect(card).toMatchObject({ verdict: "fail", lost: 2, doubled: 1, recoveryMs: 42 });
  expect(card.reason).toContain("offsets 960, 961");
});

test.each([
  ["pipeline", "paused"],
  ["ingest", "paused"],
  ["ingest", "stopped"],
] as const)(
  "nothing is in flight: the %s worker is not touched while the source is %s, and the card says why",
  async (worker, state) => {
    const workers = new FakeWorkers();
    const connection = { state: "paused" } as const;
    workers.status = exampleStatus({
      ingest: exampleIngest({ head: CHECKPOINT, ...(state === "paused" ? { connection } : {}) }),
      isSourceStopped: state === "stopped",
    });
    const card = await prove(workers, worker);
    expect(workers.told).toEqual([]);
    expect(card).toMatchObject({ verdict: "inconclusive", killedAtMs: null, lost: null });
    expect(card.reason).toContain(`the source is ${state}`);
  },
);

test("a switch of the source while a kill is proven makes it inconclusive: its workers are gone", async () => {
  const workers = new FakeWorkers();
  workers.commitsAgain = false;
  const proof = killWorker(workers.engine, "pipeline", {
    nth: 1,
    limits: { ...LIMITS, recoveryMs: 60_000 },
    onStep: ({ reached }) => {
      if (reached === "back") workers.status = { ...workers.status, dataFolder: "/elsewhere" };
    },
  });
  expect(await proof).toMatchObject({ verdict: "inconclusive", lost: null, recoveryMs: null });
});
