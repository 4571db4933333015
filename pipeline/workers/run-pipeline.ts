import { dataFolderAt, type DataFolder } from "#storage/files/data-folder.ts";
import { openLakeWriter } from "#storage/lake/lake-writer.ts";
import { openLogReader } from "#storage/log/log-reader.ts";
import { type SourceName, toSourceName } from "#storage/model/brand.ts";
import { systemClock } from "#storage/model/clock.ts";
import type { LakeWriter } from "#storage/model/lake.ts";
import type { LogReader } from "#storage/model/log.ts";
import { BatchLoop } from "../batch/batch-loop.ts";
import type { BatchState } from "../batch/batch-state.ts";
import { CommitQueue, type Committed } from "../batch/commit-queue.ts";
import { LAKE_TABLES } from "../batch/lake-tables.ts";
import { loadState } from "../batch/load-state.ts";
import { PipelineFigures } from "../batch/pipeline-figures.ts";
import type { PipelineTelemetry } from "../protocol/telemetry.ts";
import type { StartMessage, ToWorker } from "../protocol/worker-messages.ts";
import { whyNotProcessAgain } from "./process-again.ts";
import type { RunningWorker, WorkerPort } from "./worker-shell.ts";

type PipelineStart = Extract<StartMessage, { worker: "pipeline" }>;

/**
 * A hole that is still not asked for is told again: ingest keeps what waits for its next connection in memory, so a kill of
 * it would lose the question. It knows the same hole again.
 */
const TELL_AGAIN_MS = 3_000;

/** One source under way. */
type SourceRun = {
  readonly source: SourceName;
  readonly log: LogReader;
  readonly state: BatchState;
  readonly loop: BatchLoop;
  readonly figures: PipelineFigures;
  /** Holes that main was told of by this process, and when (monotonic). */
  readonly told: Map<string, number>;
};

/**
 * The pipeline worker: the lake's only writer, and one batch loop per source. Ends by itself when `stopAfter.events`
 * records (bronze and dead letters of all sources, as the lake counts them, so a restart does not begin anew) are committed.
 */
export async function runPipeline(message: PipelineStart, port: WorkerPort): Promise<RunningWorker> {
  const folder = dataFolderAt(message.dataFolder);
  const lake = await openLakeWriter({
    folder,
    tables: LAKE_TABLES,
    settings: message.settings.lake,
    clock: systemClock,
    seenSnapshotId: message.seenSnapshotId,
    whyNotAgain: (checkpoints) => whyNotProcessAgain(folder, checkpoints),
  });
  if (lake.wentBack !== null) {
    const { foundSnapshotId, seenSnapshotId, continuesAt } = lake.wentBack;
    port.log(
      "warn",
      `the catalog went back from snapshot ${seenSnapshotId} to ${foundSnapshotId}; going on at ${continuesAt}, and from the log`,
    );
  }
  const pipeline = new Pipeline(lake, message, port);
  try {
    for (const name of message.sources) await pipeline.open(folder, toSourceName(name));
  } catch (error) {
    await pipeline.close();
    throw error;
  }
  return pipeline.start();
}

class Pipeline {
  readonly #lake: LakeWriter;
  readonly #queue: CommitQueue;
  readonly #message: PipelineStart;
  readonly #port: WorkerPort;
  readonly #runs: SourceRun[] = [];
  readonly #finished = Promise.withResolvers<"end-of-source" | "events-reached">();
  #loops: Promise<unknown> = Promise.resolve();
  #nextTelemetry = 0;
  #last: PipelineTelemetry | null = null;

  constructor(lake: LakeWriter, message: PipelineStart, port: WorkerPort) {
    this.#lake = lake;
    this.#message = message;
    this.#port = port;
    this.#queue = new CommitQueue(lake, systemClock, (committed) => this.#onCommit(committed));
  }

  async open(folder: DataFolder, source: SourceName): Promise<void> {
    const state = await loadState(this.#lake.reader, source);
    const log = openLogReader({ folder: folder.log(source), source });
    const loop = new BatchLoop({
      log,
      lake: this.#lake.reader,
      queue: this.#queue,
      state,
      settings: this.#message.settings.lake,
    });
    const figures = new PipelineFigures(this.#lake.reader, source, systemClock);
    this.#runs.push({ source, log, state, loop, figures, told: new Map() });
  }

  start(): RunningWorker {
    const loops = this.#runs.map((run) => run.loop.run());
    for (const loop of loops) loop.catch((error: unknown) => this.#finished.reject(error));
    this.#loops = Promise.allSettled(loops);
    // Holes that were found and not asked for before the last stop.
    for (const run of this.#runs) this.#tellGaps(run);
    this.#endWhenReached();
    return {
      info: Object.fromEntries(this.#runs.map((run) => [`checkpoint:${run.source}`, run.state.checkpoint])),
      telemetry: () => this.#last ?? this.#telemetry(),
      onMessage: (message) => this.#onMessage(message),
      stop: () => this.close(),
      finished: this.#finished.promise,
    };
  }

  async close(): Promise<void> {
    for (const { loop } of this.#runs) loop.stop();
    await this.#queue.stop();
    await this.#loops;
    // What is told after the stop is what was true when the lake was closed.
    this.#last = this.#telemetry();
    for (const { log } of this.#runs) log.close();
    await this.#lake.close();
  }

  #onMessage(message: ToWorker): void {
    if (message.type === "repeat-gaps") {
      for (const run of this.#runs) {
        run.told.clear();
        this.#tellGaps(run);
      }
    }
    if (message.type !== "settings") return; // `head` is a hint: the loop polls at every batch interval anyway
    for (const { loop } of this.#runs) loop.applySettings(message.settings.lake);
  }

  #onCommit(committed: Committed): void {
    const run = this.#runs.find(({ source }) => source === committed.input.source);
    if (run === undefined) return;
    run.figures.see(committed);
    this.#tellGaps(run);
    this.#endWhenReached();
  }

  #tellGaps({ state, told }: SourceRun): void {
    const now = systemClock.monotonicMs();
    const open = new Set<string>();
    for (const question of state.gaps.questions()) {
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
    if (run === undefined) throw new RangeError("the pipeline worker was started without a source");
    const { figures, loop, source, state } = run;
    return {
      worker: "pipeline",
      source,
      checkpoint: figures.checkpoint,
      head: loop.head,
      snapshotId: figures.snapshotId,
      commitTimeMs: figures.commitTimeMs,
      freshnessMs: figures.freshnessMs,
      freshnessP50Ms: figures.freshnessAt(0.5),
      freshnessP99Ms: figures.freshnessAt(0.99),
      watermarkMs: figures.watermarkMs,
      recordsPerSecond: figures.recordsPerSecond,
      mode: loop.mode,
      ledger: figures.ledger,
      gaps: figures.gaps,
      ...figures.facts.telemetry(),
      hotRows: this.#lake.hotRows(),
      openWindowRows: this.#lake.openRows(),
      sealedOffset: this.#lake.sealedOffset(source),
      catalogBytes: this.#lake.catalogBytes(),
      clockWrong: state.clock.isWrong(),
      catalogHeldSinceMs: this.#queue.held?.sinceMs ?? null,
      catalogHeldBy: this.#queue.held?.code ?? null,
      wentBack: this.#lake.wentBack,
      committedEvents: figures.committedEvents,
      rssBytes: process.memoryUsage.rss(),
      atMs: systemClock.nowMs(),
    };
  }
}
