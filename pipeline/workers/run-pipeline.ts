import { setFailpointRange } from "#storage/failpoint/failpoint.ts";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openLakeWriter } from "#storage/lake/lake-writer.ts";
import { type SourceName, toSourceName } from "#storage/model/brand.ts";
import { systemClock } from "#storage/model/clock.ts";
import { AppError } from "#storage/model/errors.ts";
import type { LakeWriter } from "#storage/model/lake.ts";
import { CommitQueue, type Committed } from "../batch/commit-queue.ts";
import { LakeSteps } from "../batch/lake-steps.ts";
import { LAKE_TABLES } from "../batch/lake-tables.ts";
import { memoryOfCommit, unpackCommit } from "../batch/pack-commit.ts";
import { PipelineFigures } from "../batch/pipeline-figures.ts";
import type { GapQuestion } from "../ledger/gaps.ts";
import type { PipelineTelemetry } from "../protocol/telemetry.ts";
import type { StartMessage, ToWorker } from "../protocol/worker-messages.ts";
import type { FromDecider, SourceReady, SourceView } from "./decide-messages.ts";
import { type DecidingEvents, startDecidingThread } from "./deciding-thread.ts";
import { whyNotProcessAgain } from "./process-again.ts";
import type { RunningWorker, WorkerPort } from "./worker-shell.ts";

type PipelineStart = Extract<StartMessage, { worker: "pipeline" }>;

/**
 * A hole that is still not asked for is told again: ingest keeps what waits for its next connection in memory, so a kill of
 * it would lose the question. It knows the same hole again.
 */
const TELL_AGAIN_MS = 3_000;

/** One source under way, as this thread sees it. */
type SourceRun = {
  readonly source: SourceName;
  readonly figures: PipelineFigures;
  view: SourceView;
  /** Holes as of the last commit that nobody has asked for. */
  questions: readonly GapQuestion[];
  /** Holes that main was told of by this process, and when (monotonic). */
  readonly told: Map<string, number>;
};

/**
 * The pipeline worker: the lake's only writer, with a thread beside it that reads the logs and decides (decide-messages.ts).
 * Ends by itself when `stopAfter.events` records (bronze and dead letters of all sources, as the lake counts them, so a
 * restart does not begin anew) are committed.
 */
export async function runPipeline(message: PipelineStart, port: WorkerPort): Promise<RunningWorker> {
  const pipeline = new Pipeline(message, port);
  try {
    await pipeline.open();
  } catch (error) {
    await pipeline.close();
    throw error;
  }
  return pipeline.running();
}

class Pipeline {
  readonly #message: PipelineStart;
  readonly #port: WorkerPort;
  /** Started first, so that it loads its modules while the lake is being opened. */
  readonly #decider = startDecidingThread({
    onMessage: (message) => this.#onDecided(message),
    onFailed: (error) => this.#finished.reject(error),
  } satisfies DecidingEvents);
  readonly #runs: SourceRun[] = [];
  readonly #steps = new LakeSteps(systemClock);
  readonly #ready = Promise.withResolvers<readonly SourceReady[]>();
  readonly #finished = Promise.withResolvers<"end-of-source" | "events-reached">();
  #writing: { readonly lake: LakeWriter; readonly queue: CommitQueue } | null = null;
  #nextTelemetry = 0;
  #last: PipelineTelemetry | null = null;

  constructor(message: PipelineStart, port: WorkerPort) {
    this.#message = message;
    this.#port = port;
    // Whoever waits is told; before anybody does, a failure must not count as nobody's.
    this.#finished.promise.catch(() => undefined);
  }

  /** Opens the lake, and resolves when the deciding thread has read every source's state back. */
  async open(): Promise<void> {
    const { dataFolder, sources, settings } = this.#message;
    const lake = await this.#openLake();
    const queue = new CommitQueue(
      lake,
      systemClock,
      (committed) => this.#onCommit(committed),
      (maintained) => this.#steps.seeMaintenance(maintained),
    );
    this.#writing = { lake, queue };
    for (const name of sources) {
      const source = toSourceName(name);
      const figures = new PipelineFigures(lake.reader, source, systemClock);
      const view: SourceView = { source, head: figures.checkpoint, mode: "live", clockWrong: false };
      this.#runs.push({ source, figures, view, questions: [], told: new Map() });
    }
    this.#decider.post({ type: "begin", start: { dataFolder, sources, settings: settings.lake } });
    const ready = await Promise.race([this.#ready.promise, this.#finished.promise]);
    // Holes that were found and not asked for before the last stop.
    if (typeof ready !== "string")
      for (const { source, questions } of ready) this.#tellGaps(source, questions);
    this.#endWhenReached();
  }

  running(): RunningWorker {
    return {
      info: Object.fromEntries(
        this.#runs.map(({ source, figures }) => [`checkpoint:${source}`, figures.checkpoint]),
      ),
      telemetry: () => this.#last ?? this.#telemetry(),
      onMessage: (message) => this.#onMessage(message),
      stop: () => this.close(),
      finished: this.#finished.promise,
    };
  }

  async close(): Promise<void> {
    const deciding = this.#decider.stop();
    await this.#writing?.queue.stop();
    await deciding;
    if (this.#writing === null) return;
    // What is told after the stop is what was true when the lake was closed.
    if (this.#runs.length > 0) this.#last = this.#telemetry();
    await this.#writing.lake.close();
  }

  async #openLake(): Promise<LakeWriter> {
    const folder = dataFolderAt(this.#message.dataFolder);
    const lake = await openLakeWriter({
      folder,
      tables: LAKE_TABLES,
      settings: this.#message.settings.lake,
      clock: systemClock,
      seenSnapshotId: this.#message.seenSnapshotId,
      whyNotAgain: (checkpoints) => whyNotProcessAgain(folder, checkpoints),
    });
    if (lake.wentBack !== null) {
      const { foundSnapshotId, seenSnapshotId, continuesAt } = lake.wentBack;
      this.#port.log(
        "warn",
        `the catalog went back from snapshot ${seenSnapshotId} to ${foundSnapshotId}; going on at ${continuesAt}, and from the log`,
      );
    }
    return lake;
  }

  #onMessage(message: ToWorker): void {
    if (message.type === "repeat-gaps") {
      for (const run of this.#runs) {
        run.told.clear();
        this.#tellGaps(run.source, run.questions);
      }
    }
    if (message.type === "arm-failpoint" || message.type === "disarm-failpoint") this.#decider.post(message);
    // `head` is a hint: the loop polls at every batch interval anyway
    if (message.type === "settings")
      this.#decider.post({ type: "settings", settings: message.settings.lake });
  }

  #onDecided(message: Parameters<DecidingEvents["onMessage"]>[0]): void {
    if (message.type === "ready") this.#ready.resolve(message.sources);
    else if (message.type === "view") {
      const run = this.#runs.find(({ source }) => source === message.view.source);
      if (run !== undefined) run.view = message.view;
    } else {
      this.#write(message).catch((error: unknown) => this.#finished.reject(error));
    }
  }

  /** Publishes what was decided, or does a step of maintenance, and tells the deciding thread. */
  async #write(message: Extract<FromDecider, { type: "commit" | "maintain" }>): Promise<void> {
    if (this.#writing === null) throw new AppError("worker-protocol", "a commit before the lake was open");
    const { queue } = this.#writing;
    let published = true;
    if (message.type === "maintain") await queue.maintain();
    else {
      const input = unpackCommit(message.commit);
      setFailpointRange(input.fromOffset, input.toOffset);
      published = await queue.commit(input);
      // Given back at once: as garbage it would bring V8's next full collection nearer.
      for (const memory of memoryOfCommit(message.commit)) memory.transfer(0);
      if (published) this.#tellGaps(input.source, message.questions);
    }
    this.#decider.post({ type: "done", turn: message.turn, published });
  }

  #onCommit(committed: Committed): void {
    this.#runs.find(({ source }) => source === committed.input.source)?.figures.see(committed);
    this.#steps.seeCommit(committed);
    this.#endWhenReached();
  }

  #tellGaps(source: string, questions: readonly GapQuestion[]): void {
    const run = this.#runs.find((each) => each.source === source);
    if (run === undefined) return;
    run.questions = questions;
    const { told } = run;
    const now = systemClock.monotonicMs();
    const open = new Set<string>();
    for (const question of questions) {
      const key = `${question.topic}/${question.partition}/${question.fromOffset}`;
      open.add(key);
      if (now - (told.get(key) ?? Number.NEGATIVE_INFINITY) < TELL_AGAIN_MS) continue;
      told.set(key, now);
      this.#port.send({ type: "gap-found", ...question });
    }
    // Only holes that are still open are remembered, so the set stays as small as theirs.
    for (const key of told.keys()) if (!open.has(key)) told.delete(key);
  }

  #endWhenReached(): void {
    const { events } = this.#message.stopAfter;
    if (events === null) return;
    const committed = this.#runs.reduce((sum, { figures }) => sum + figures.committedEvents, 0);
    if (committed >= events) this.#finished.resolve("events-reached");
  }

  /** One source a frame, in turn. */
  #telemetry(): PipelineTelemetry {
    const run = this.#runs[this.#nextTelemetry % this.#runs.length];
    this.#nextTelemetry += 1;
    if (run === undefined || this.#writing === null)
      throw new RangeError("the pipeline worker was started without a source");
    const { figures, source, view } = run;
    const { lake, queue } = this.#writing;
    return {
      worker: "pipeline",
      source,
      checkpoint: figures.checkpoint,
      head: Math.max(view.head, figures.checkpoint),
      snapshotId: figures.snapshotId,
      commitTimeMs: figures.commitTimeMs,
      freshnessMs: figures.freshnessMs,
      freshnessP50Ms: figures.freshnessAt(0.5),
      freshnessP99Ms: figures.freshnessAt(0.99),
      watermarkMs: figures.watermarkMs,
      recordsPerSecond: figures.recordsPerSecond,
      hopRates: figures.hopRates,
      steps: this.#steps.telemetry(),
      mode: view.mode,
      ledger: figures.ledger,
      gaps: figures.gaps,
      ...figures.facts.telemetry(),
      hotRows: lake.hotRows(),
      openWindowRows: lake.openRows(),
      sealedOffset: lake.sealedOffset(source),
      catalogBytes: lake.catalogBytes(),
      clockWrong: view.clockWrong,
      catalogHeldSinceMs: queue.held?.sinceMs ?? null,
      catalogHeldBy: queue.held?.code ?? null,
      wentBack: lake.wentBack,
      committedEvents: figures.committedEvents,
      rssBytes: process.memoryUsage.rss(),
      atMs: systemClock.nowMs(),
    };
  }
}
