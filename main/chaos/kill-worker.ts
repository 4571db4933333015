import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "#storage/model/errors.ts";
import type { FailpointName } from "#storage/model/failpoints.ts";
import { askEngine } from "../bridge/ask-engine.ts";
import type { AppStatus } from "../contract/app-status.ts";
import type { KillableWorker, KillCard } from "../contract/kill-card.ts";
import type { Engine } from "../engine/engine-contract.ts";
import { awaitReport, type StoppedWorker } from "./await-report.ts";
import { judgeKill } from "./judge-kill.ts";

type KillEngine = Pick<Engine, "status" | "onStatus" | "query" | "kill" | "armFailpoint">;

/** How long is waited, ms: for the worker to come to its failpoint, and for it to be at work again after the kill. */
export type KillLimits = { readonly reachMs: number; readonly recoveryMs: number };

const LIMITS: KillLimits = { reachMs: 10_000, recoveryMs: 30_000 };
const ASK_AGAIN_MS = 50;

/** Where each worker has records in its hands: a transaction with them is open. */
const PLACES: Readonly<Record<Exclude<KillableWorker, "query">, FailpointName>> = {
  ingest: "ingest-in-append",
  pipeline: "commit-in",
};

/** Engines with a kill under way. */
const busy = new WeakSet<KillEngine>();

/**
 * Stops a worker inside its work, kills it there with SIGKILL, waits until it is at work again and verifies the lake.
 * Kills nothing where the place is not reached. One kill at a time: the second is refused (`usage`).
 */
export async function killWorker(
  engine: KillEngine,
  worker: KillableWorker,
  limits: KillLimits = LIMITS,
): Promise<KillCard> {
  if (busy.has(engine))
    throw new AppError("usage", "A kill is under way. Wait for its card, then kill the next worker.");
  busy.add(engine);
  try {
    return await killOnce(engine, worker, limits);
  } finally {
    busy.delete(engine);
  }
}

async function killOnce(engine: KillEngine, worker: KillableWorker, limits: KillLimits): Promise<KillCard> {
  const before = engine.status();
  const failpoint = worker === "query" ? null : PLACES[worker];
  const blank = blankCard(worker, failpoint, before);
  const stop = worker === "query" ? null : await stopInside(engine, worker, limits.reachMs);
  if (typeof stop === "string") return { ...blank, reason: stop };
  const inFlight = rangeOf(stop);
  const pid = stop?.pid ?? pidOf(before, worker);
  // The last status may be older than the last commit; what is in flight begins right behind that commit.
  const from = Math.max(markOf(before, worker), (inFlight?.fromOffset ?? 0) - 1);
  const killedMs = performance.now();
  const killed = { ...blank, pid, inFlight, killedAtMs: Date.now() };
  if (!engine.kill(worker))
    return { ...killed, killedAtMs: null, reason: `No ${worker} process was there to kill.` };
  const target = { from, dataFolder: before.dataFolder, limitMs: limits.recoveryMs };
  const isBack =
    worker === "query"
      ? await awaitAnswer(engine, limits.recoveryMs)
      : await awaitMark(engine, worker, target);
  const recoveryMs = isBack ? performance.now() - killedMs : null;
  const verified = await verify(engine);
  const { checks } = verified;
  const verdict = judgeKill({ worker, inFlight, recoveryMs, recoveryLimitMs: limits.recoveryMs, checks });
  const { snapshotId: snapshotAfter, rows: rowsAfter } = verified;
  return { ...killed, recoveryMs, snapshotAfter, rowsAfter, ...verdict };
}

/** Lets the worker stop at its place. Answers why nothing may be killed where it did not. */
async function stopInside(
  engine: KillEngine,
  worker: keyof typeof PLACES,
  limitMs: number,
): Promise<StoppedWorker | string> {
  const place = PLACES[worker];
  const armed = engine.armFailpoint(worker, place, 1);
  if (!armed.armed) return `Nothing was killed: ${armed.reason}.`;
  const stopped = await awaitReport(armed.reportPath, limitMs);
  if (stopped !== null) {
    await rm(armed.reportPath, { force: true });
    return stopped;
  }
  // A new arming replaces the old one; nothing passes that often, so that the worker will not stop later. One that stopped
  // just now, unseen, is silent and restarted by the heartbeat.
  engine.armFailpoint(worker, place, Number.MAX_SAFE_INTEGER);
  return `Nothing was killed: no records came to ${place} within ${limitMs / 1_000} s.`;
}

function blankCard(worker: KillableWorker, failpoint: string | null, before: AppStatus): KillCard {
  return {
    worker,
    verdict: "inconclusive",
    reason: "",
    failpoint,
    inFlight: null,
    pid: null,
    killedAtMs: null,
    recoveryMs: null,
    snapshotBefore: before.pipeline?.snapshotId ?? 0,
    snapshotAfter: null,
    rowsBefore: before.pipeline?.ledger["bronze"] ?? null,
    rowsAfter: null,
    lost: null,
    doubled: null,
  };
}

function pidOf(status: AppStatus, name: KillableWorker): number | null {
  const phase = status.workers.find((worker) => worker.name === name)?.phase;
  return phase?.state === "running" || phase?.state === "hanging" ? phase.pid : null;
}

function rangeOf(stopped: StoppedWorker | null): KillCard["inFlight"] {
  if (stopped === null || stopped.fromOffset === null || stopped.toOffset === null) return null;
  return { fromOffset: stopped.fromOffset, toOffset: stopped.toOffset };
}

/** How far a worker came. */
function markOf(status: AppStatus, worker: KillableWorker): number {
  return (worker === "ingest" ? status.ingest?.head : status.pipeline?.checkpoint) ?? 0;
}

type Target = { readonly from: number; readonly dataFolder: string; readonly limitMs: number };

/** True once new records are durable; false at the limit. */
function awaitMark(engine: KillEngine, worker: KillableWorker, target: Target): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isBack: boolean): void => {
      leave();
      clearTimeout(timer);
      resolve(isBack);
    };
    const timer = setTimeout(() => end(false), target.limitMs);
    const leave = engine.onStatus((status) => {
      if (status.dataFolder === target.dataFolder && markOf(status, worker) > target.from) end(true);
    });
  });
}

/** True once a question is answered; false at the limit. */
async function awaitAnswer(engine: KillEngine, limitMs: number): Promise<boolean> {
  const endMs = performance.now() + limitMs;
  while (performance.now() < endMs) {
    try {
      await askEngine(engine, { ask: "snapshots", limit: 1 }, AbortSignal.timeout(limitMs));
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await delay(ASK_AGAIN_MS);
    }
  }
  return false;
}

/** Verifies the newest snapshot and counts bronze in the same one; nulls where the query worker cannot be asked. */
async function verify(engine: KillEngine) {
  try {
    const request = { ask: "verify", source: null, manifestPath: null, asOf: null } as const;
    const { checks, snapshotId } = await askEngine(engine, request);
    const { tables } = await askEngine(engine, { ask: "tables", asOf: snapshotId });
    const rows =
      tables.find(({ schema, name }) => schema === "bronze" && name === "recentchange")?.rows ?? null;
    return { checks, snapshotId, rows };
  } catch (error) {
    if (error instanceof AppError) return { checks: null, snapshotId: null, rows: null };
    throw error;
  }
}
