/**
 * One kill with its proof:
 *
 *     asked ─▶ armed ──worker stops inside its work, reports──▶ stopped ─▶ killed ─▶ back ─▶ committed ──verify──▶ card
 *                │ no report within the limit
 *                └──▶ disarm, kill nothing: inconclusive
 *
 * Query and feed hold nothing that could be torn and have no failpoint: they are killed as they are.
 */
import type { KillableWorker, KillCard, KillProgress, KillStep } from "#main/contract/kill-card.ts";
import { AppError } from "#storage/model/errors.ts";
import type { FailpointName } from "#storage/model/failpoints.ts";
import { askEngine } from "../bridge/ask-engine.ts";
import type { Engine } from "../engine/engine-contract.ts";
import { readFailpointReport, type StoppedAt } from "./failpoint-report.ts";
import { judgeKill, type Verified } from "./judge-kill.ts";
import { commitAfter, newestOffset, pidOf, reconnectedHead } from "./kill-recovery.ts";
import { lookUntil } from "./look-until.ts";
import { sourceTrouble, whyNothingFlows } from "./why-nothing-flows.ts";

/** How long each step is waited for. */
export type KillLimits = {
  /** For the worker to come to the failpoint: a quiet feed brings a batch every few seconds. */
  readonly reachMs: number;
  /** For the first commit of new records; the promise is 1 s, an honest number above it is better than none. */
  readonly recoveryMs: number;
  /** Between two looks. */
  readonly lookMs: number;
};

/** The limits of the app. */
export const KILL_LIMITS: KillLimits = { reachMs: 15_000, recoveryMs: 30_000, lookMs: 20 };

/** Where each worker is stopped: the transaction is open, so that the kill tears as much as it can. */
const FAILPOINT: Readonly<Record<KillableWorker, FailpointName | null>> = {
  ingest: "ingest-in-append",
  pipeline: "commit-in",
  query: null,
  feed: null,
};

/** What a kill needs of the engine. */
export type KillEngine = Pick<Engine, "status" | "query" | "kill" | "armFailpoint" | "disarmFailpoint">;

/** Options of {@link killWorker}. */
export type KillOptions = {
  readonly nth: number;
  /** Told of every step, the first one before this returns. */
  readonly onStep: (progress: KillProgress) => void;
  readonly limits: KillLimits;
};

/** Kills a worker inside its work and proves what came of it. One at a time is the caller's business (kill-desk.ts). */
export function killWorker(
  engine: KillEngine,
  worker: KillableWorker,
  options: KillOptions,
): Promise<KillCard> {
  return new Kill(engine, worker, options).run();
}

class Kill {
  readonly #engine: KillEngine;
  readonly #worker: KillableWorker;
  readonly #options: KillOptions;
  readonly #folder: string;
  #card: KillCard;

  constructor(engine: KillEngine, worker: KillableWorker, options: KillOptions) {
    this.#engine = engine;
    this.#worker = worker;
    this.#options = options;
    const status = engine.status();
    this.#folder = status.dataFolder;
    this.#card = {
      nth: options.nth,
      startedMs: Date.now(),
      worker,
      verdict: "inconclusive",
      reason: "",
      failpoint: null,
      inFlight: null,
      pid: pidOf(status, worker),
      killedAtMs: null,
      backMs: null,
      recoveryMs: null,
      snapshotBefore: status.pipeline?.snapshotId ?? 0,
      snapshotAfter: null,
      rowsBefore: status.pipeline?.ledger["bronze"] ?? null,
      rowsAfter: null,
      lost: null,
      doubled: null,
    };
  }

  async run(): Promise<KillCard> {
    this.#step("asked");
    const reason = await this.#killAndRecover();
    if (reason !== null) return { ...this.#card, verdict: "inconclusive", reason };
    const verified = await this.#verify();
    if (this.#hasLeft()) return { ...this.#card, reason: SWITCHED };
    const { recoveryMs } = this.#card;
    const judged = judgeKill({ recoveryMs, recoveryLimitMs: this.#options.limits.recoveryMs, verified });
    const rowsAfter = verified === null ? null : await this.#bronzeRowsAt(verified.snapshotId);
    return { ...this.#card, ...judged, rowsAfter };
  }

  /** Null when the kill was carried out; else why it was not, or why nothing can be said of it. */
  async #killAndRecover(): Promise<string | null> {
    const worker = this.#worker;
    const still = whyNothingFlows(this.#engine.status(), worker);
    if (still !== null) return still;
    if (this.#card.pid === null) return `the ${worker} worker is away, so there is nothing to kill`;
    const failpoint = FAILPOINT[worker];
    const stopped = failpoint === null ? null : await this.#stopAt(failpoint);
    if (typeof stopped === "string") return stopped;

    const before = this.#engine.status();
    const killedAtMs = Date.now();
    if (!this.#engine.kill(worker)) return `the ${worker} worker ended before the kill`;
    this.#step("killed", { killedAtMs });
    const pid = await this.#until(() => {
      const now = pidOf(this.#engine.status(), worker);
      return now === null || now === this.#card.pid ? null : now;
    });
    if (pid !== null) this.#step("back", { backMs: Date.now() - killedAtMs });
    const recoveryMs = await this.#recover(killedAtMs, () => {
      if (worker === "feed") return reconnectedHead(before, this.#engine.status());
      return stopped?.fromOffset ?? newestOffset(before, worker) + 1;
    });
    if (this.#hasLeft()) return SWITCHED;
    if (recoveryMs !== null) this.#step("committed", { recoveryMs });
    return null;
  }

  /** The worker stands still at the failpoint, or the reason why it does not. */
  async #stopAt(failpoint: FailpointName): Promise<StoppedAt | string> {
    const { reachMs } = this.#options.limits;
    const armed = this.#engine.armFailpoint(this.#worker, failpoint, 1);
    if (!armed.armed) return armed.reason;
    this.#step("armed", { failpoint });
    const report = (limitMs: number): Promise<StoppedAt | null> =>
      this.#until(() => readFailpointReport(armed.reportPath), limitMs);
    let stopped = await report(reachMs);
    if (stopped === null) {
      this.#engine.disarmFailpoint(this.#worker);
      // It may have got there while the word was on its way: then it stands still and only the kill brings it back.
      stopped = await report(Math.min(1_000, reachMs));
    }
    if (stopped === null) return this.#notReached(failpoint);
    const { fromOffset, toOffset } = stopped;
    const inFlight = fromOffset === null || toOffset === null ? null : { fromOffset, toOffset };
    this.#step("stopped", { inFlight });
    return stopped;
  }

  #notReached(failpoint: FailpointName): string {
    this.#card = { ...this.#card, failpoint: null };
    if (this.#hasLeft()) return SWITCHED;
    const seconds = this.#options.limits.reachMs / 1_000;
    const trouble = sourceTrouble(this.#engine.status());
    return `no record came to ${failpoint} within ${seconds} s${trouble}: nothing was in flight, nothing was killed`;
  }

  /** From the kill to the first commit of new records, by the lake's own commit times; query: to its next answer. */
  #recover(killedAtMs: number, newFrom: () => number | null): Promise<number | null> {
    let from: number | null = null;
    return this.#until(async () => {
      from ??= newFrom();
      if (from === null) return null;
      const answer = await this.#ask(() =>
        askEngine(this.#engine, { ask: "snapshots", limit: MAX_SNAPSHOTS }),
      );
      if (answer === null) return null;
      if (this.#worker === "query") return Date.now() - killedAtMs;
      const commitMs = commitAfter(answer.snapshots, killedAtMs, from);
      return commitMs === null ? null : commitMs - killedAtMs;
    });
  }

  #verify(): Promise<Verified | null> {
    const { source } = this.#engine.status();
    // Without the feed's manifest: while the feed runs, its file is seconds behind what it has served.
    const request = { ask: "verify", source, manifestPath: null, asOf: null } as const;
    return this.#until(() => this.#ask(() => askEngine(this.#engine, request)));
  }

  /** Of the very snapshot that was verified; a status would be of another one. */
  async #bronzeRowsAt(snapshotId: number): Promise<number | null> {
    const answer = await this.#ask(() => askEngine(this.#engine, { ask: "tables", asOf: snapshotId }));
    return answer?.tables.find(({ schema }) => schema === "bronze")?.rows ?? null;
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

  #until<T>(
    look: () => T | null | Promise<T | null>,
    limitMs = this.#options.limits.recoveryMs,
  ): Promise<T | null> {
    return lookUntil({ look, limitMs, lookMs: this.#options.limits.lookMs, isOver: () => this.#hasLeft() });
  }

  /** The workers that this kill was about belong to a run that is over. */
  #hasLeft(): boolean {
    return this.#engine.status().dataFolder !== this.#folder;
  }

  #step(reached: KillStep, seen: Partial<KillCard> = {}): void {
    this.#card = { ...this.#card, ...seen };
    const { nth, startedMs, worker, failpoint, inFlight, pid, killedAtMs, backMs, recoveryMs } = this.#card;
    const known = { nth, startedMs, worker, failpoint, inFlight, pid, killedAtMs, backMs, recoveryMs };
    this.#options.onStep({ ...known, reached });
  }
}

/** Commits looked through for the first one after the kill; live there are five a second. */
const MAX_SNAPSHOTS = 300;

const SWITCHED = "the source was switched before the kill was proven; nothing is known of what came of it";
