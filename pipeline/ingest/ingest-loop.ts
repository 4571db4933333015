import { failpoint, setFailpointRange } from "#storage/failpoint/failpoint.ts";
import type { Offset } from "#storage/model/brand.ts";
import type { Clock } from "#storage/model/clock.ts";
import { AppError } from "#storage/model/errors.ts";
import type { LogWriter } from "#storage/model/log.ts";
import type { IngestCounters, NoteBody } from "#storage/model/record.ts";
import type { IngestSettings, ResultSettings, Settings } from "#storage/model/settings.ts";
import type { IngestTelemetry } from "../protocol/telemetry.ts";
import type { SourceSpec } from "../protocol/worker-messages.ts";
import { AppendBuffer, type BufferedRecord } from "./append-buffer.ts";
import { createStreamFeeder } from "./connection/stream-feeder.ts";
import type { Feeder, FeederSink } from "./feeder.ts";
import { LogKeeper } from "./log-keeper.ts";
import { RateWindow } from "./rate-window.ts";
import { createRecordingFeeder } from "./recording-feeder.ts";
import type { GapAsk, ReceivedFrame, Source } from "./source-contract.ts";

/** What ingest of one source works with. */
export type IngestOptions = {
  readonly source: Source;
  readonly spec: SourceSpec;
  readonly writer: LogWriter;
  /** Folder of the source's log, for its size. */
  readonly logFolder: string;
  readonly settings: Settings;
  /** First offset of this source that a reader has leased; null without a lease. */
  readonly leasedFrom: () => Offset | null;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: FeederSink["log"];
};

/** How often counters without records, age of the segment and retention are looked at. */
const HOUSEKEEPING_MS = 1_000;

/**
 * Source → buffer → log, for one source. Lifetime: start once, any calls, stop once; the writer is the caller's to close.
 * Everything that arrives is appended in order, and the position behind it in the same transaction.
 */
export class IngestLoop {
  /** Resolves when the source is at its end and everything is durable; rejects when the log cannot be written at all. */
  readonly finished: Promise<"end-of-source">;
  readonly #options: IngestOptions;
  readonly #buffer: AppendBuffer;
  readonly #feeder: Feeder;
  readonly #keeper: LogKeeper;
  readonly #rate = new RateWindow();
  readonly #fail: (error: unknown) => void;
  #ingest: IngestSettings;
  #wish: ResultSettings | null = null;
  #counters: IngestCounters;
  #isCountersDirty = false;
  #serverOffsetMs: number | null = null;
  #lastReceivedMs: number | null = null;
  #lastRecordMs: number | null = null;
  #logHeld: IngestTelemetry["logHeld"] = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: IngestOptions) {
    this.#options = options;
    this.#ingest = options.settings.ingest;
    this.#counters = options.writer.counters();
    this.#keeper = new LogKeeper({ ...options, settings: () => this.#ingest });
    const failed = Promise.withResolvers<never>();
    this.#fail = failed.reject;
    this.#buffer = new AppendBuffer({
      limits: () => this.#ingest,
      write: (batch) => this.#write(batch),
      onHeld: (error) => this.#onHeld(error),
      onFatal: this.#fail,
    });
    this.#feeder = this.#createFeeder();
    this.finished = Promise.race([failed.promise, this.#feeder.finished.then((end) => this.#drain(end))]);
  }

  start(): void {
    this.#timer = setInterval(() => this.#housekeep(), HOUSEKEEPING_MS);
    this.#feeder.start();
  }

  pause(): void {
    this.#feeder.pause();
  }

  /** Goes on after a pause, or tries a failed source again. */
  resume(): void {
    this.#feeder.resume();
  }

  ask(gap: GapAsk): void {
    this.#feeder.ask(gap);
  }

  /** A fact from outside, in its place among the records. */
  note(body: NoteBody): void {
    this.#note(body);
  }

  /** New settings: those that decide results become a log record behind everything taken so far. */
  applySettings(settings: Settings): void {
    this.#ingest = settings.ingest;
    this.#wish = settings.result;
    this.#attempt(() => {
      if (this.#buffer.flush()) this.#applyWish();
    });
  }

  /** The lake is sealed up to here; segments behind it may go. */
  applySealed(sealedOffset: Offset): void {
    this.#keeper.sealed(sealedOffset);
  }

  /** Ends the source and writes what was taken. What a held log did not take comes again at the next start. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    const stopped = this.#feeder.stop();
    this.#buffer.close();
    await stopped;
    if (this.#isCountersDirty) this.#attempt(() => this.#append([]));
  }

  /** All but what was found when the log was taken over. */
  telemetry(): Omit<IngestTelemetry, "quarantined"> {
    const { writer, spec, clock } = this.#options;
    const { appended, appendedBytes, connections, cutFrames } = this.#counters;
    const usage = this.#keeper.usage();
    return {
      worker: "ingest",
      source: spec.source,
      url: spec.kind === "sse" ? spec.url : spec.path,
      connection: this.#feeder.state(),
      head: writer.head(),
      appended,
      appendedBytes,
      cutFrames,
      connections,
      bufferedBytes: this.#buffer.bytes,
      recordsPerSecond: this.#rate.perSecond(appended, clock.monotonicMs()),
      logBytes: usage.bytes,
      segments: usage.segments,
      lastReceivedMs: this.#lastReceivedMs,
      lastRecordMs: this.#lastRecordMs,
      serverOffsetMs: this.#serverOffsetMs,
      logHeld: this.#logHeld,
      rssBytes: process.memoryUsage.rss(),
      atMs: clock.nowMs(),
    };
  }

  #createFeeder(): Feeder {
    const { source, spec, clock, random } = this.#options;
    const sink = this.#createSink();
    const settings = (): IngestSettings => this.#ingest;
    const horizonMs = (): number => this.#options.writer.settings().dedupHorizonMs;
    if (source.framing === "sse" && spec.kind === "sse") {
      return createStreamFeeder({ source, spec, settings, horizonMs, sink, clock, random });
    }
    if (source.framing === "file" && spec.kind === "file") {
      return createRecordingFeeder({ source, spec, settings, sink, clock });
    }
    throw new AppError("source-configuration", `${source.name} cannot read a source of kind ${spec.kind}`);
  }

  #createSink(): FeederSink {
    const { clock, log, writer } = this.#options;
    return {
      take: (frame) => this.#take(frame),
      note: (body) => this.#note(body),
      takeEmpty: (count) => this.#count({ emptyFrames: this.#counters.emptyFrames + count }),
      cutFrame: () => this.#count({ cutFrames: this.#counters.cutFrames + 1 }),
      opened: (serverOffsetMs) => {
        this.#serverOffsetMs = serverOffsetMs;
        this.#count({ connections: this.#counters.connections + 1 });
      },
      received: () => {
        this.#lastReceivedMs = clock.nowMs();
      },
      room: () => this.#buffer.room(),
      position: () => {
        this.#buffer.flush();
        return writer.cursor();
      },
      log,
    };
  }

  #take(frame: ReceivedFrame): void {
    const { kind, stream, sourceId, data, detail, position } = frame;
    const receivedTimeMs = this.#options.clock.nowMs();
    this.#lastRecordMs = receivedTimeMs;
    const serverOffsetMs = this.#serverOffsetMs;
    this.#buffer.add({
      record: { kind, stream, sourceId, receivedTimeMs, serverOffsetMs, data, detail },
      position,
    });
  }

  #note(body: NoteBody): void {
    const record = {
      kind: "note",
      stream: "",
      sourceId: "",
      receivedTimeMs: this.#options.clock.nowMs(),
      serverOffsetMs: this.#serverOffsetMs,
      data: Buffer.from(JSON.stringify(body)),
      detail: null,
    } as const;
    this.#buffer.add({ record, position: null });
  }

  #onHeld(error: AppError | null): void {
    const { clock, log } = this.#options;
    if (error === null) log("info", "the log can be written again");
    else log("warn", `${error.message}; the source waits, nothing is dropped`);
    this.#logHeld = error === null ? null : { sinceMs: clock.nowMs(), reason: error.message };
  }

  #count(change: Partial<IngestCounters>): void {
    this.#counters = { ...this.#counters, ...change };
    this.#isCountersDirty = true;
  }

  #write(batch: readonly BufferedRecord[]): void {
    const head = this.#options.writer.head();
    setFailpointRange(head + 1, head + batch.length);
    failpoint("ingest-before-append");
    this.#append(batch);
    failpoint("ingest-after-append");
    // The batch is durable: what fails from here on must not bring it into the log a second time.
    this.#attempt(() => {
      this.#applyWish();
      this.#options.writer.rotateIfDue(this.#options.clock.nowMs());
      this.#refreshCounters();
    });
  }

  #append(batch: readonly BufferedRecord[]): void {
    const { writer } = this.#options;
    writer.append(
      batch.map(({ record }) => record),
      this.#positionAfter(batch),
      this.#counters,
    );
    this.#isCountersDirty = false;
    this.#refreshCounters();
  }

  #refreshCounters(): void {
    // The writer counts what it appends itself, settings records included.
    const { appended, appendedBytes } = this.#options.writer.counters();
    this.#counters = { ...this.#counters, appended, appendedBytes };
  }

  #positionAfter(batch: readonly BufferedRecord[]): string | null {
    const { source, writer } = this.#options;
    const before = writer.cursor();
    if (source.framing === "file")
      return batch.findLast(({ position }) => position !== null)?.position ?? before;
    const frames = batch.filter(({ record }) => record.kind === "event" || record.kind === "oversized");
    const newest = frames.at(-1)?.record;
    if (newest === undefined) return before;
    const ids = frames.map(({ record }) => record.sourceId);
    return source.positionAfter(before, ids, newest.receivedTimeMs + (newest.serverOffsetMs ?? 0));
  }

  #applyWish(): void {
    if (this.#wish === null) return;
    const offset = this.#options.writer.changeSettings(this.#wish, this.#options.clock.nowMs());
    this.#wish = null;
    if (offset !== null) this.#options.log("info", `settings take effect at offset ${offset}`);
  }

  #housekeep(): void {
    this.#attempt(() => {
      if (!this.#buffer.flush()) return;
      if (this.#isCountersDirty) this.#append([]);
      this.#applyWish();
      this.#options.writer.rotateIfDue(this.#options.clock.nowMs());
      this.#refreshCounters();
      this.#keeper.applyRetention();
    });
  }

  async #drain(end: "end-of-source"): Promise<"end-of-source"> {
    while (!this.#buffer.flush()) await this.#buffer.room();
    if (this.#isCountersDirty) this.#attempt(() => this.#append([]));
    return end;
  }

  /** A transient failure of something that is tried again anyway is only said; any other ends the worker. */
  #attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (error instanceof AppError && error.kind === "transient") this.#options.log("warn", error.message);
      else this.#fail(error);
    }
  }
}
