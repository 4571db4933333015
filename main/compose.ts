import { join } from "node:path";
import { dataFolderAt, type DataFolder } from "#storage/files/data-folder.ts";
import { AppError } from "#storage/model/errors.ts";
import type { FailpointName } from "#storage/model/failpoints.ts";
import type { QueryResponse } from "#pipeline/protocol/query-messages.ts";
import type { FeedOptions, WorkerName } from "#pipeline/protocol/worker-messages.ts";
import type { AppStatus, SourceMode } from "./contract/app-status.ts";
import { listBanners } from "./engine/banner.ts";
import { type BannerInput, NO_FINDINGS } from "./engine/banner-input.ts";
import { dataFolderFor } from "./engine/data-location.ts";
import type { ArmedFailpoint, Engine, SwitchTarget } from "./engine/engine-contract.ts";
import { type FolderRun, openFolderRun } from "./engine/folder-run.ts";
import { isFirstRun } from "./engine/first-run.ts";
import { type Reach, nextReach, startReach } from "./engine/reach.ts";
import { checkRecording } from "./engine/recording.ts";
import { type ChosenSource, parseSource } from "./engine/source-spec.ts";
import { answerSocket } from "./engine/socket-requests.ts";
import type { SettingsView } from "./contract/settings-view.ts";
import type { ProcessHost } from "./supervisor/process-host.ts";

/** How to start an engine. */
export type EngineOptions = {
  /** `--data`; null = the user-data folder. */
  readonly dataFolder: string | null;
  /** `--source`; null = live, and the demo feed by itself when live cannot be reached on a first run without data. */
  readonly source: string | null;
  /** Options of the demo feed, where the demo is the source. */
  readonly feed: FeedOptions;
  readonly stopAfterEvents: number | null;
  readonly host: ProcessHost;
  readonly version: string;
  /** True to start the query worker too (windows need it). */
  readonly withQuery: boolean;
  /** A second start on the folder asks the first to come to the front; null where there is no window. */
  readonly onShow?: (() => void) | null;
};

/** Status goes out at most this often (architecture.md "Processes"). */
const STATUS_INTERVAL_MS = 250;

/**
 * Starts the product on one data folder: fence, orphans, folder, workers. Errors: `data-folder-in-use` before any file
 * of the folder was opened, `data-folder-unusable`, `data-folder-network`, `usage`.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const engine = new RunningEngine(options, parseSource(options.source ?? "live"));
  await engine.open();
  return engine;
}

class RunningEngine implements Engine {
  readonly done: Promise<void>;
  readonly #options: EngineOptions;
  readonly #asked: ChosenSource;
  readonly #askedMode: SourceMode;
  readonly #listeners = new Set<(status: AppStatus) => void>();
  readonly #startedMs = Date.now();
  #chosen: ChosenSource;
  #folder: DataFolder;
  #run: FolderRun | null = null;
  #lastRun: FolderRun | null = null;
  #reach: Reach = startReach(0);
  #fellBackBecause: string | null = null;
  /** Tried once: a demo folder that is in use stays so, and the banner offers the demo anyway. */
  #hasFallenBack = false;
  #switching: Promise<void> = Promise.resolve();
  #switches = 0;
  #statusTimer: NodeJS.Timeout | null = null;
  #reachTimer: NodeJS.Timeout | null = null;
  #armed = 0;
  #isStopping = false;
  #isSourceStopped = false;
  #tellDone: () => void = () => undefined;

  constructor(options: EngineOptions, chosen: ChosenSource) {
    this.#options = options;
    this.#chosen = chosen;
    this.#asked = chosen;
    this.#askedMode = chosen.mode;
    this.#folder = dataFolderAt(dataFolderFor(chosen.mode, options.dataFolder, chosen.mode));
    this.done = new Promise((resolve) => (this.#tellDone = resolve));
  }

  async open(): Promise<void> {
    const run = await openFolderRun({
      ...this.#options,
      folder: this.#folder,
      chosen: this.#chosen,
      startedMs: this.#startedMs,
      answer: (request) => answerSocket(this, request, this.#options.onShow ?? null),
      onChange: () => this.#onChange(),
    });
    this.#run = run;
    this.#reach = startReach(performance.now());
    this.#reachTimer = setInterval(() => this.#checkReach(), 500);
    void run.workers.done.then(() => {
      if (this.#run === run) this.#tellDone();
    });
  }

  status(): AppStatus {
    // After the stop the numbers of the last run stay readable: they are its result.
    const run = this.#run ?? this.#lastRun;
    const latest = run?.workers.latest ?? { ingest: null, pipeline: null, query: null, feed: null };
    const workers = run?.workers.status() ?? [];
    const settingsFile = run?.settingsFile ?? { path: this.#folder.settings, problem: null, changes: 0 };
    const { mode, source } = this.#chosen;
    return {
      version: this.#options.version,
      dataFolder: this.#folder.root,
      mode,
      source,
      isSourceStopped: this.#isSourceStopped,
      startedMs: this.#startedMs,
      disk: run?.disk ?? null,
      settingsFile,
      liveFeed: this.#liveFeed(),
      banners: this.#banners(run, { ...latest, workers, settingsFile }),
      workers,
      ...latest,
      atMs: Date.now(),
    };
  }

  #banners(
    run: FolderRun | null,
    seen: Pick<BannerInput, "ingest" | "pipeline" | "workers" | "settingsFile">,
  ): AppStatus["banners"] {
    return listBanners({
      ...seen,
      mode: this.#chosen.mode,
      fellBackBecause: this.#fellBackBecause,
      unreachable: this.#reach.unreachable,
      hasContact: run?.hasContact ?? false,
      findings: run?.workers.findings ?? NO_FINDINGS,
    });
  }

  onStatus(listener: (status: AppStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async query(...[request, signal, onProgress]: Parameters<Engine["query"]>): Promise<QueryResponse> {
    return this.#running().workers.queries.ask(request, signal, onProgress);
  }

  pause(): void {
    this.#run?.workers.worker("ingest")?.send({ type: "pause" });
  }

  resume(): void {
    this.#run?.workers.worker("ingest")?.send({ type: "resume" });
  }

  retry(): void {
    this.#reach = startReach(performance.now());
    this.#run?.workers.retry();
  }

  async stopSource(): Promise<void> {
    this.#isSourceStopped = true;
    this.#onChange();
    await this.#run?.workers.worker("ingest")?.stop();
  }

  startSource(): void {
    if (!this.#isSourceStopped) return;
    this.#isSourceStopped = false;
    this.#reach = startReach(performance.now());
    this.#run?.workers.worker("ingest")?.retry();
    this.#onChange();
  }

  /** One switch after the other: two at once would fight for the same fence. */
  switchTo(target: SwitchTarget): Promise<void> {
    this.#switches += 1;
    const next = this.#switching
      .then(() => this.#switchNow(target))
      .finally(() => {
        this.#switches -= 1;
      });
    // The next switch starts whether this one succeeded or not; who asked for it hears of a failure.
    this.#switching = next.catch(() => undefined);
    return next;
  }

  async #switchNow(target: SwitchTarget): Promise<void> {
    // Before anything is stopped: a recording that cannot be read changes nothing.
    const wanted = await this.#sourceOf(target);
    const { mode } = wanted;
    if (this.#isStopping || (mode === this.#chosen.mode && wanted.source === this.#chosen.source)) return;
    const before = { chosen: this.#chosen, folder: this.#folder };
    await this.#closeRun();
    this.#isSourceStopped = false;
    this.#chosen = wanted;
    this.#folder = dataFolderAt(dataFolderFor(mode, this.#options.dataFolder, this.#askedMode));
    try {
      await this.open();
    } catch (error) {
      // The other folder cannot be had (another start runs on it, say): go on where we were.
      this.#chosen = before.chosen;
      this.#folder = before.folder;
      await this.open();
      throw error;
    } finally {
      if (this.#chosen.mode === "live") this.#fellBackBecause = null;
      this.#onChange();
    }
  }

  settings(): SettingsView {
    return this.#running().settings();
  }

  async saveSettings(text: string): Promise<SettingsView> {
    return this.#running().saveSettings(text);
  }

  #running(): FolderRun {
    if (this.#run !== null) return this.#run;
    throw new AppError("worker-gone", "The workers are being started. Ask again in a moment.");
  }

  async #sourceOf(target: SwitchTarget): Promise<ChosenSource> {
    if (typeof target !== "string") return parseSource(`file:${await checkRecording(target.path)}`);
    // The address that was named stays what "live" means, whatever ran in between.
    return target === this.#askedMode ? this.#asked : parseSource(target);
  }

  isSwitching(): boolean {
    return this.#switches > 0;
  }

  kill(worker: WorkerName): boolean {
    return this.#run?.workers.worker(worker)?.kill(true) ?? false;
  }

  armFailpoint(worker: WorkerName, name: FailpointName, hit: number): ArmedFailpoint {
    const target = this.#run?.workers.worker(worker) ?? null;
    if (target === null) return { armed: false, reason: `no ${worker} worker belongs to this run` };
    const reportPath = join(this.#folder.tmp, `failpoint-${worker}-${process.pid}-${++this.#armed}.json`);
    if (target.send({ type: "arm-failpoint", name, hit, reportPath })) return { armed: true, reportPath };
    const { state } = target.status().phase;
    return { armed: false, reason: `the ${worker} worker is away (${state})` };
  }

  disarmFailpoint(worker: WorkerName): void {
    this.#run?.workers.worker(worker)?.send({ type: "disarm-failpoint" });
  }

  #liveFeed(): AppStatus["liveFeed"] {
    const { source, spec } = this.#askedMode === "live" ? this.#asked : parseSource("live");
    return { source, url: spec?.kind === "sse" ? spec.url : "" };
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return this.done;
    this.#isStopping = true;
    await this.#switching;
    await this.#closeRun();
    this.#tellDone();
  }

  async #closeRun(): Promise<void> {
    const run = this.#run;
    if (this.#reachTimer !== null) clearInterval(this.#reachTimer);
    if (this.#statusTimer !== null) clearTimeout(this.#statusTimer);
    this.#statusTimer = null;
    // First let go of it, so that its end is not taken for the end of the work.
    this.#run = null;
    this.#lastRun = run;
    await run?.close();
  }

  #checkReach(): void {
    const run = this.#run;
    if (run === null || this.#chosen.mode !== "live" || this.#isSourceStopped) return;
    this.#reach = nextReach(this.#reach, performance.now(), run.workers.latest.ingest);
    if (this.#reach.unreachable === null) return;
    this.#onChange();
    const { ingest, pipeline } = run.workers.latest;
    if (this.#options.source !== null || !isFirstRun(ingest, pipeline)) return;
    this.#fallBack(this.#reach.unreachable);
  }

  #fallBack(reason: string): void {
    if (this.#hasFallenBack) return;
    this.#hasFallenBack = true;
    this.#fellBackBecause = reason;
    this.switchTo("demo").catch((error: unknown) => this.#run?.log(String(error)));
  }

  /** Newest wins: one timer, whatever happened meanwhile. */
  #onChange(): void {
    this.#statusTimer ??= setTimeout(() => {
      this.#statusTimer = null;
      const status = this.status();
      for (const listener of this.#listeners) listener(status);
    }, STATUS_INTERVAL_MS);
  }
}
