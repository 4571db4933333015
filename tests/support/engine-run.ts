import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toSourceName } from "#storage/model/brand.ts";
import type { FailpointName } from "#storage/model/failpoints.ts";
import { dataFolderAt, type DataFolder } from "#storage/files/data-folder.ts";
import { feedOptionsSchema } from "#pipeline/protocol/feed-options.ts";
import type { FeedOptions, WorkerName } from "#pipeline/protocol/worker-messages.ts";
import { startEngine } from "#main/compose.ts";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { Engine } from "#main/engine/engine-contract.ts";
import { reported } from "./failpoint-report.ts";
import { fastSettings, type Wish } from "./fast-settings.ts";
import { until } from "./poll.ts";
import type { Scope } from "./scope.ts";
import { WatchedHost } from "./watched-host.ts";
import { workerLogTail } from "./worker-log-tail.ts";

/** How to start an engine for a test. */
export type EngineRunOptions = {
  readonly scope: Scope;
  /** `demo` or an address; default demo. */
  readonly source?: string;
  readonly feed?: Partial<FeedOptions>;
  readonly wish?: Wish;
  /** An existing data folder; default a new one. */
  readonly root?: string;
  readonly host?: WatchedHost;
  /** Starts the query worker too. */
  readonly withQuery?: boolean;
};

/** Frames of telemetry must be this much apart, with nothing new between them, before a run counts as drained. */
const QUIET_MS = 700;

/** A fixed event time: the same seed and start make the same bytes. 2026-11-01T00:00:00Z. */
export const FEED_START_MS = Date.UTC(2026, 10, 1);

/** A running engine with real workers on a temporary folder. Ends with its scope and then leaves no process behind. */
export class EngineRun {
  readonly engine: Engine;
  readonly folder: DataFolder;
  readonly host: WatchedHost;
  readonly manifestPath: string;
  readonly #asked = new Map<WorkerName, number>();
  readonly #killedPids = new Set<number>();

  private constructor(engine: Engine, folder: DataFolder, host: WatchedHost) {
    this.engine = engine;
    this.folder = folder;
    this.host = host;
    this.manifestPath = join(folder.workspace, "manifest.ndjson");
  }

  static async start(options: EngineRunOptions): Promise<EngineRun> {
    const { scope, source = "demo" } = options;
    const host = options.host ?? new WatchedHost();
    const folder = dataFolderAt(options.root ?? scope.folder());
    mkdirSync(folder.workspace, { recursive: true });
    writeFileSync(folder.settings, JSON.stringify(fastSettings(options.wish)));
    const feed = feedOptionsSchema.parse({
      rate: 400,
      eventRate: 20,
      events: 1_200,
      seed: 11,
      startMs: FEED_START_MS,
      manifestPath: join(folder.workspace, "manifest.ndjson"),
      ...options.feed,
    });
    scope.onEnd(() => host.end());
    const engine = await startEngine({
      // As the user spelled it: links, /./ and trailing slashes are a field case.
      dataFolder: options.root ?? folder.root,
      source,
      feed,
      stopAfterEvents: null,
      host,
      version: "test",
      withQuery: options.withQuery ?? false,
    });
    scope.onEnd(() => engine.stop());
    return new EngineRun(engine, folder, host);
  }

  get source(): ReturnType<typeof toSourceName> {
    return toSourceName(this.engine.status().source);
  }

  /** Waits for a status that satisfies. */
  async untilStatus(
    what: string,
    probe: (status: AppStatus) => boolean,
    limitMs = 60_000,
  ): Promise<AppStatus> {
    return until(
      what,
      () => {
        const status = this.engine.status();
        const gaveUp = status.workers.find(({ phase }) => phase.state === "gave-up");
        if (gaveUp !== undefined) throw new Error(`${gaveUp.name} gave up\n${this.explain()}`);
        return probe(status) ? status : null;
      },
      { limitMs, explain: () => this.explain() },
    );
  }

  /** Waits until a worker's process, one that the test did not kill already, says that it is running. */
  async untilRunning(worker: WorkerName): Promise<number> {
    const isNew = (pid: number | null): boolean => pid !== null && !this.#killedPids.has(pid);
    const status = await this.untilStatus(`${worker} runs`, (now) => isNew(pidOf(now, worker)));
    return pidOf(status, worker) ?? 0;
  }

  /** Arms a failpoint, waits for its report, kills the worker there. Not reached within the limit = an error. */
  async killAt(worker: WorkerName, name: FailpointName, hit: number, limitMs = 30_000): Promise<void> {
    const report = await until(
      `${name} is armed`,
      () => {
        const answer = this.engine.armFailpoint(worker, name, hit);
        return answer.armed ? answer.reportPath : null;
      },
      { limitMs, explain: () => this.explain() },
    );
    const { pid } = await reported(report, name, () => this.explain(), limitMs);
    this.kill(worker, pid);
  }

  /** SIGKILL, asked for by the test. Throws when the worker's process is another one than `pid`. */
  kill(worker: WorkerName, pid?: number): boolean {
    const record = this.host.started.findLast((one) => one.worker === worker);
    if (pid !== undefined && record?.pid !== pid)
      throw new Error(`${worker} is pid ${record?.pid}, not ${pid}`);
    const isHit = this.engine.kill(worker);
    if (isHit) {
      this.#asked.set(worker, (this.#asked.get(worker) ?? 0) + 1);
      if (record?.pid !== undefined && record.pid !== null) this.#killedPids.add(record.pid);
    }
    return isHit;
  }

  /** Waits until at least `events` distinct events were produced and everything sent is committed, with nothing on its way. */
  async drained(events: number, limitMs = 90_000): Promise<AppStatus> {
    return this.#quiet(
      `${events} events drained`,
      limitMs,
      (status) => (status.feed?.produced ?? 0) >= events,
    );
  }

  /** Waits until the checkpoint is the head, at least `records` offsets are in the log and nothing new comes. */
  async settled(records: number, limitMs = 90_000): Promise<AppStatus> {
    return this.#quiet(
      `${records} records settled`,
      limitMs,
      (status) => (status.ingest?.head ?? 0) >= records,
    );
  }

  async #quiet(what: string, limitMs: number, isEnough: (status: AppStatus) => boolean): Promise<AppStatus> {
    let signature = "";
    let since: readonly number[] = [];
    return this.untilStatus(
      what,
      (status) => {
        const { ingest, pipeline, feed } = status;
        if (ingest === null || pipeline === null || !isEnough(status)) return false;
        const now = [ingest.atMs, pipeline.atMs, feed?.atMs ?? Number.POSITIVE_INFINITY];
        const { head, bufferedBytes } = ingest;
        const next = [
          head,
          bufferedBytes,
          pipeline.checkpoint,
          feed?.sent,
          ...this.host.started.map((one) => one.pid),
        ];
        if (next.join() !== signature || pipeline.checkpoint !== head || bufferedBytes > 0) {
          signature = next.join();
          since = now;
          return false;
        }
        return now.every(
          (atMs, index) => atMs - (since[index] ?? 0) >= QUIET_MS || atMs === Number.POSITIVE_INFINITY,
        );
      },
      limitMs,
    );
  }

  /** Stops the engine and checks that no worker was started more often than the test killed it. */
  async stop(): Promise<void> {
    await this.engine.stop();
    for (const worker of ["ingest", "pipeline", "query", "feed"] as const) {
      const starts = this.host.startsOf(worker);
      const allowed = 1 + (this.#asked.get(worker) ?? 0);
      if (starts > allowed)
        throw new Error(
          `${worker} was started ${starts} times, killed ${allowed - 1} times\n${this.explain()}`,
        );
    }
  }

  /** What a failed wait should say. */
  explain(): string {
    const { workers, ingest, pipeline, feed } = this.engine.status();
    return [
      JSON.stringify(workers),
      JSON.stringify({ ingest, pipeline, feed }),
      ...this.host.output.slice(-20),
      workerLogTail(this.folder),
    ].join("\n");
  }
}

function pidOf(status: AppStatus, worker: WorkerName): number | null {
  const phase = status.workers.find((one) => one.name === worker)?.phase;
  return phase?.state === "running" ? phase.pid : null;
}
