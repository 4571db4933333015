import { dataFolderAt } from "#storage/files/data-folder.ts";
import type { Clock } from "#storage/model/clock.ts";
import { AppError } from "#storage/model/errors.ts";
import type { Settings } from "#storage/model/settings.ts";
import type {
  FeedTelemetry,
  IngestTelemetry,
  PipelineTelemetry,
  QueryTelemetry,
} from "#pipeline/protocol/telemetry.ts";
import type {
  FeedOptions,
  FromWorker,
  SourceSpec,
  StartMessage,
  WorkerName,
} from "#pipeline/protocol/worker-messages.ts";
import { type Findings, NO_FINDINGS } from "./banner-input.ts";
import type { WorkerStatus } from "../contract/app-status.ts";
import { GrowingMark } from "../supervisor/growing-mark.ts";
import type { ProcessHost } from "../supervisor/process-host.ts";
import { SupervisedWorker } from "../supervisor/supervised-worker.ts";
import { LastSeenKeeper } from "./last-seen.ts";
import { PendingQueries } from "./pending-queries.ts";
import { demoSpec } from "./source-spec.ts";

/** What a set of workers runs on. */
export type WorkerSetOptions = {
  readonly dataFolder: string;
  readonly host: ProcessHost;
  readonly clock: Clock;
  readonly settings: Settings;
  /** False where the user has no readable settings file: then what is in force in the log stays in force. */
  readonly hasSettingsWish: boolean;
  /** Null for demo: the feed worker's url becomes the source. */
  readonly spec: SourceSpec | null;
  readonly source: string;
  readonly feed: FeedOptions | null;
  readonly stopAfterEvents: number | null;
  /** Workers that this run needs besides ingest and pipeline. */
  readonly withQuery: boolean;
  readonly onChange: () => void;
  readonly onLog: (worker: WorkerName | "main", level: "info" | "warn" | "error", line: string) => void;
};

/** Newest telemetry of each worker. */
export type LatestTelemetry = {
  ingest: IngestTelemetry | null;
  pipeline: PipelineTelemetry | null;
  query: QueryTelemetry | null;
  feed: FeedTelemetry | null;
};

/**
 * The workers of one data folder and source, and the wires between them: the pipeline's finds reach ingest, the sealed
 * position reaches the log's retention, a file at its end is drained before the set is done.
 */
export class WorkerSet {
  readonly queries: PendingQueries;
  readonly latest: LatestTelemetry = { ingest: null, pipeline: null, query: null, feed: null };
  /** Resolves when all work is done (end of file and drained, events reached) or a worker gave up. */
  readonly done: Promise<void>;
  readonly #options: WorkerSetOptions;
  #settings: Pick<WorkerSetOptions, "settings" | "hasSettingsWish">;
  readonly #workers = new Map<WorkerName, SupervisedWorker>();
  readonly #lastSeen: LastSeenKeeper;
  #findings: Findings = NO_FINDINGS;
  #isWentBackNoted = false;
  readonly #appended = new GrowingMark();
  readonly #sent = new GrowingMark();
  #feedUrl: string | null = null;
  #tellDone: () => void = () => undefined;
  #isStopped = false;

  constructor(options: WorkerSetOptions) {
    this.#options = options;
    this.#settings = { settings: options.settings, hasSettingsWish: options.hasSettingsWish };
    this.done = new Promise((resolve) => (this.#tellDone = resolve));
    this.#lastSeen = new LastSeenKeeper(dataFolderAt(options.dataFolder).lastSeen, (error) =>
      options.onLog("main", "warn", `last-seen.json could not be written: ${String(error)}`),
    );
    this.queries = new PendingQueries({
      send: (message) => void this.#workers.get("query")?.send(message),
      replaceWorker: () => {
        options.onLog("query", "warn", "a cancelled statement did not give way: the worker is replaced");
        return this.#workers.get("query")?.kill(true) ?? false;
      },
    });
  }

  start(): void {
    const { feed, withQuery } = this.#options;
    this.#add("pipeline");
    if (withQuery) this.#add("query");
    if (feed === null) this.#add("ingest");
    else this.#add("feed");
  }

  status(): readonly WorkerStatus[] {
    return [...this.#workers.values()].map((worker) => worker.status());
  }

  /** What the workers of this run found, also those that are gone. */
  get findings(): Findings {
    return this.#findings;
  }

  worker(name: WorkerName): SupervisedWorker | null {
    return this.#workers.get(name) ?? null;
  }

  /** New settings for the workers that run and for those that are started after them. */
  applySettings(settings: Settings): void {
    this.#settings = { settings, hasSettingsWish: true };
    for (const name of ["ingest", "pipeline"] as const)
      this.#workers.get(name)?.send({ type: "settings", settings });
  }

  /** After giving up, or after a failed source: start again. */
  retry(): void {
    for (const worker of this.#workers.values()) {
      if (worker.status().phase.state === "gave-up") worker.retry();
    }
    this.#workers.get("ingest")?.send({ type: "resume" });
  }

  /** Source first, so that everything received is committed; then the rest. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#workers.get("ingest")?.stop();
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()));
    await this.#lastSeen.close();
    this.queries.rejectAll();
    this.#tellDone();
  }

  #add(name: WorkerName): void {
    if (this.#workers.has(name) || this.#isStopped) return;
    const { host, clock, onLog } = this.#options;
    const worker = new SupervisedWorker({
      name,
      host,
      clock,
      startMessage: () => this.#startMessage(name),
      events: {
        onMessage: (message) => this.#onMessage(name, message),
        onStatus: () => this.#onStatus(name),
        onLog: (level, line) => onLog(name, level, line),
      },
    });
    this.#workers.set(name, worker);
    worker.start();
  }

  #startMessage(name: WorkerName): StartMessage {
    const { dataFolder, spec, source, feed, stopAfterEvents } = this.#options;
    const { settings, hasSettingsWish } = this.#settings;
    const stopAfter = { events: stopAfterEvents };
    switch (name) {
      case "ingest": {
        const actual = spec ?? (this.#feedUrl === null ? null : demoSpec(this.#feedUrl));
        if (actual === null)
          throw new AppError("worker-protocol", "ingest cannot start before its source is known");
        return {
          type: "start",
          worker: "ingest",
          dataFolder,
          source: actual,
          settings,
          hasSettingsWish,
          seenHead: this.#lastSeen.seen.sources[source]?.head ?? 0,
          stopAfter,
        };
      }
      case "pipeline":
        return {
          type: "start",
          worker: "pipeline",
          dataFolder,
          sources: [source],
          settings,
          seenSnapshotId: this.#lastSeen.seen.snapshotId,
          stopAfter,
        };
      case "query":
        return { type: "start", worker: "query", dataFolder };
      case "feed":
        if (feed === null) throw new AppError("worker-protocol", "no feed was asked for");
        return { type: "start", worker: "feed", feed: this.#feedOptions(feed) };
    }
  }

  /** A feed that comes back takes its old port, so that ingest finds it again, and goes on with the same events. */
  #feedOptions(feed: FeedOptions): FeedOptions {
    if (this.#feedUrl === null) return feed;
    const port = Number(new URL(this.#feedUrl).port);
    return { ...feed, port, goOn: this.latest.feed?.progress ?? null };
  }

  #onMessage(name: WorkerName, message: FromWorker): void {
    if (message.type === "ready") this.#onReady(name, message.info);
    else if (message.type === "telemetry") this.#onTelemetry(message.telemetry);
    else if (message.type === "gap-found") {
      const { topic, partition, fromOffset, toOffset, sinceMs } = message;
      this.#workers.get("ingest")?.send({ type: "ask-gap", topic, partition, fromOffset, toOffset, sinceMs });
    }
    this.queries.take(message);
    // A query worker that dies before it answers anything must use up its budget.
    if (message.type === "answer") this.#workers.get("query")?.noteProgress(message.seq);
    this.#options.onChange();
  }

  #onReady(name: WorkerName, info: Readonly<Record<string, string | number>>): void {
    if (name === "feed") {
      this.#feedUrl = String(info["url"]);
      this.#add("ingest");
    }
    if (name === "pipeline") {
      const startCheckpoint =
        this.#findings.startCheckpoint ?? Number(info[`checkpoint:${this.#options.source}`]);
      this.#findings = { ...this.#findings, startCheckpoint };
    }
    if (name !== "ingest") return;
    this.#noteWentBack();
    const pipeline = this.#workers.get("pipeline");
    // After a broken segment was set aside, offsets above the checkpoint are given anew: a batch that was read before,
    // but not committed, must be read again.
    if (Number(info["quarantined"] ?? 0) > 0) pipeline?.kill(true);
    else pipeline?.send({ type: "repeat-gaps" });
  }

  #onTelemetry(telemetry: IngestTelemetry | PipelineTelemetry | QueryTelemetry | FeedTelemetry): void {
    const worker = this.#workers.get(telemetry.worker);
    switch (telemetry.worker) {
      case "ingest":
        this.#findings = withQuarantined(this.#findings, telemetry.quarantined);
        this.#lastSeen.note(telemetry);
        this.#tellHead(telemetry);
        this.latest.ingest = telemetry;
        worker?.noteProgress(this.#appended.take(telemetry.appended));
        break;
      case "pipeline":
        this.#findings = { ...this.#findings, wentBack: this.#findings.wentBack ?? telemetry.wentBack };
        this.#lastSeen.note(telemetry);
        this.#noteWentBack();
        this.#tellSealed(telemetry);
        this.latest.pipeline = telemetry;
        worker?.noteProgress(telemetry.snapshotId);
        this.#finishWhenDrained();
        break;
      case "query":
        this.latest.query = telemetry;
        break;
      case "feed":
        this.latest.feed = telemetry;
        worker?.noteProgress(this.#sent.take(telemetry.sent));
    }
  }

  /** The log keeps it, so that the jump of snapshot ids is explained for ever; a banner is gone with the run. */
  #noteWentBack(): void {
    const { wentBack } = this.#findings;
    const ingest = this.#workers.get("ingest");
    if (wentBack === null || this.#isWentBackNoted || ingest?.status().phase.state !== "running") return;
    const { foundSnapshotId, seenSnapshotId, continuesAt } = wentBack;
    const body = { note: "catalog-went-back", foundSnapshotId, seenSnapshotId, continuesAt } as const;
    this.#isWentBackNoted = ingest.send({ type: "note", body });
  }

  #tellHead({ source, head }: IngestTelemetry): void {
    if (this.latest.ingest?.head === head) return;
    this.#workers.get("pipeline")?.send({ type: "head", source, head });
  }

  #tellSealed({ source, sealedOffset, checkpoint }: PipelineTelemetry): void {
    this.#workers.get("ingest")?.send({ type: "sealed", source, sealedOffset, checkpoint });
  }

  #onStatus(name: WorkerName): void {
    const phase = this.#workers.get(name)?.status().phase;
    if (name === "query") this.#tellQueries(phase?.state);
    if (phase?.state === "gave-up" && name !== "query") this.#tellDone();
    if (phase?.state === "finished" && name === "pipeline") this.#tellDone();
    this.#finishWhenDrained();
    this.#options.onChange();
  }

  #tellQueries(state: WorkerStatus["phase"]["state"] | undefined): void {
    if (state === "running") this.queries.workerRuns();
    else if (state === "starting" || state === "backing-off") this.queries.workerEnded();
    else this.queries.rejectAll();
  }

  /** A file source is at its end: done as soon as everything in the log is committed. */
  #finishWhenDrained(): void {
    const { ingest, pipeline } = this.latest;
    if (this.#workers.get("ingest")?.status().phase.state !== "finished") return;
    if (ingest !== null && pipeline !== null && pipeline.checkpoint >= ingest.head) this.#tellDone();
  }
}

/** Findings kept of one run; a disk that breaks more than that has its own log file to tell it. */
const MAX_QUARANTINED = 20;

function withQuarantined(findings: Findings, told: Findings["quarantined"]): Findings {
  const known = new Set(findings.quarantined.map(({ movedTo }) => movedTo));
  const news = told.filter(({ movedTo }) => !known.has(movedTo));
  if (news.length === 0) return findings;
  return { ...findings, quarantined: [...findings.quarantined, ...news].slice(-MAX_QUARANTINED) };
}
