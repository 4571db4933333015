/**
 * One kill with its proof:
 *
 *     arm ──worker stops inside its work, reports──▶ SIGKILL ──first new commit──▶ verify ──▶ card
 *      │ no report within the limit
 *      └──▶ disarm, kill nothing: inconclusive
 *
 * The query worker holds nothing that could be lost and has no failpoint: it is killed as it is.
 */
import { setTimeout } from "node:timers/promises";
import type { KillableWorker, KillCard } from "#main/contract/kill-card.ts";
import { AppError } from "#storage/model/errors.ts";
import type { FailpointName } from "#storage/model/failpoints.ts";
import { askEngine } from "../bridge/ask-engine.ts";
import type { Engine } from "../engine/engine-contract.ts";
import { readFailpointReport, type StoppedAt } from "./failpoint-report.ts";
import { judgeKill, type Verified } from "./judge-kill.ts";

/** How long each step is waited for. */
export type KillLimits = {
  /** For the worker to come to the failpoint: a quiet feed brings a batch every few seconds. */
  readonly reachMs: number;
  /** For the first commit of new records; the promise is 1 s, an honest number above it is better than none. */
  readonly recoveryMs: number;
  /** Between two looks. */
  readonly lookMs: number;
};

const LIMITS: KillLimits = { reachMs: 15_000, recoveryMs: 30_000, lookMs: 20 };

/** Commits looked through for the first one after the kill; live there are five a second. */
const MAX_SNAPSHOTS = 300;

/** Where each worker is stopped: the transaction is open, so that the kill tears as much as it can. */
const FAILPOINT = { ingest: "ingest-in-append", pipeline: "commit-in" } as const satisfies Record<
  Exclude<KillableWorker, "query">,
  FailpointName
>;

type KillEngine = Pick<Engine, "status" | "query" | "kill" | "armFailpoint" | "disarmFailpoint">;

let isKilling = false;

/** Kills a worker inside its work and proves what came of it. One at a time: a second one is refused (`usage`). */
export async function killWorker(
  engine: KillEngine,
  worker: KillableWorker,
  limits: KillLimits = LIMITS,
): Promise<KillCard> {
  if (isKilling) throw new AppError("usage", "another kill is being proven; wait for its card");
  isKilling = true;
  try {
    return await new Kill(engine, worker, limits).run();
  } finally {
    isKilling = false;
  }
}

class Kill {
  readonly #engine: KillEngine;
  readonly #worker: KillableWorker;
  readonly #limits: KillLimits;

  constructor(engine: KillEngine, worker: KillableWorker, limits: KillLimits) {
    this.#engine = engine;
    this.#worker = worker;
    this.#limits = limits;
  }

  async run(): Promise<KillCard> {
    const worker = this.#worker;
    const pid = this.#pid();
    if (pid === null) return this.#inconclusive(`the ${worker} worker is away, so there is nothing to kill`);
    const stopped = worker === "query" ? null : await this.#stopAt(FAILPOINT[worker]);
    if (typeof stopped === "string") return this.#inconclusive(stopped);

    return this.#killAndProve(stopped, pid);
  }

  async #killAndProve(stopped: StoppedAt | null, pid: number): Promise<KillCard> {
    const blank = this.#inconclusive(`the ${this.#worker} worker ended before the kill`);
    const newFrom = stopped?.fromOffset ?? this.#newestOffset() + 1;
    const killedAtMs = Date.now();
    if (!this.#engine.kill(this.#worker)) return blank;
    const recoveryMs = await this.#recovery(killedAtMs, newFrom);
    const verified = await this.#verify();
    return {
      ...blank,
      ...judgeKill({ recoveryMs, recoveryLimitMs: this.#limits.recoveryMs, verified }),
      failpoint: stopped?.name ?? null,
      inFlight: stopped === null ? null : rangeOf(stopped),
      pid,
      killedAtMs,
      recoveryMs,
      rowsAfter: verified === null ? null : await this.#bronzeRowsAt(verified.snapshotId),
    };
  }

  /** The worker stands still at the failpoint, or the reason why it does not. */
  async #stopAt(name: FailpointName): Promise<StoppedAt | string> {
    const armed = this.#engine.armFailpoint(this.#worker, name, 1);
    if (!armed.armed) return armed.reason;
    const report = (limitMs: number): Promise<StoppedAt | null> =>
      this.#until(limitMs, async () => readFailpointReport(armed.reportPath));
    const stopped = await report(this.#limits.reachMs);
    if (stopped !== null) return stopped;
    this.#engine.disarmFailpoint(this.#worker);
    // It may have got there while the word was on its way: then it stands still and only the kill brings it back.
    const late = await report(Math.min(1_000, this.#limits.reachMs));
    return (
      late ??
      `no record came to ${name} within ${this.#limits.reachMs / 1_000} s: nothing was in flight, nothing was killed`
    );
  }

  async #recovery(killedAtMs: number, newFrom: number): Promise<number | null> {
    return this.#until(this.#limits.recoveryMs, async () => {
      const snapshots = await this.#ask(() =>
        askEngine(this.#engine, { ask: "snapshots", limit: MAX_SNAPSHOTS }),
      );
      if (snapshots === null) return null;
      if (this.#worker === "query") return Date.now() - killedAtMs;
      const commits = snapshots.snapshots
        .filter(({ toOffset }) => toOffset !== null && toOffset >= newFrom)
        .map(({ commitTimeMs }) => commitTimeMs)
        .filter((atMs) => atMs >= killedAtMs);
      return commits.length === 0 ? null : Math.min(...commits) - killedAtMs;
    });
  }

  async #verify(): Promise<Verified | null> {
    const { source } = this.#engine.status();
    const request = { ask: "verify", source, manifestPath: null, asOf: null } as const;
    return this.#until(this.#limits.recoveryMs, () => this.#ask(() => askEngine(this.#engine, request)));
  }

  /** Null where the query worker cannot answer now; the next look asks again. */
  async #ask<T>(question: () => Promise<T>): Promise<T | null> {
    try {
      return await question();
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  async #until<T>(limitMs: number, look: () => Promise<T | null>): Promise<T | null> {
    const endMs = performance.now() + limitMs;
    for (;;) {
      const seen = await look();
      if (seen !== null || performance.now() >= endMs) return seen;
      await setTimeout(this.#limits.lookMs);
    }
  }

  /** Newest offset that could be committed without anything new being received (ingest) or handled (pipeline). */
  #newestOffset(): number {
    const { ingest, pipeline } = this.#engine.status();
    const checkpoint = pipeline?.checkpoint ?? 0;
    return this.#worker === "ingest" ? Math.max(checkpoint, ingest?.head ?? 0) : checkpoint;
  }

  #pid(): number | null {
    const phase = this.#engine.status().workers.find(({ name }) => name === this.#worker)?.phase;
    return phase?.state === "running" ? phase.pid : null;
  }

  /** Of the very snapshot that was verified; a status would be of another one. */
  async #bronzeRowsAt(snapshotId: number): Promise<number | null> {
    const answer = await this.#ask(() => askEngine(this.#engine, { ask: "tables", asOf: snapshotId }));
    return answer?.tables.find(({ schema }) => schema === "bronze")?.rows ?? null;
  }

  #bronzeRows(): number | null {
    return this.#engine.status().pipeline?.ledger["bronze"] ?? null;
  }

  #inconclusive(reason: string): KillCard {
    const { pipeline } = this.#engine.status();
    return {
      worker: this.#worker,
      verdict: "inconclusive",
      reason,
      failpoint: null,
      inFlight: null,
      pid: this.#pid(),
      killedAtMs: null,
      recoveryMs: null,
      snapshotBefore: pipeline?.snapshotId ?? 0,
      snapshotAfter: null,
      rowsBefore: this.#bronzeRows(),
      rowsAfter: null,
      lost: null,
      doubled: null,
    };
  }
}

function rangeOf({ fromOffset, toOffset }: StoppedAt): KillCard["inFlight"] {
  return fromOffset === null || toOffset === null ? null : { fromOffset, toOffset };
}
