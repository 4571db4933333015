import type { Clock } from "#storage/model/clock.ts";
import type { ConnectionEnd } from "../connection/connection-end.ts";
import type { FrameLimits, SourceRequest } from "../source-contract.ts";
import { parseFrames, type FrameSink } from "./frame-parser.ts";
import { causeOf, openHttpStream } from "./http-stream.ts";

/** Who an attempt reports to. */
export type AttemptSink = FrameSink & {
  /** The answer is an event stream; no record came yet. */
  readonly opened: (serverOffsetMs: number | null) => void;
  /** Bytes came. */
  readonly received: () => void;
  /** Null while there is room; else resolves when there is again. Nothing is read until then, so TCP stops the server. */
  readonly room: () => Promise<void> | null;
  /** A frame was begun when the connection ended; it is dropped with its id. */
  readonly cutFrame: () => void;
};

/** Limits of one attempt, in milliseconds and bytes. */
export type AttemptLimits = FrameLimits & {
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
};

/** One connection from request to end; there is never a second one beside it. */
export class SseAttempt {
  /** How it ended. Rejects only when the sink throws (a bug, or a log that cannot go on). */
  readonly done: Promise<ConnectionEnd>;
  readonly #request: SourceRequest;
  readonly #limits: AttemptLimits;
  readonly #sink: AttemptSink;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;
  /** Set when we end the connection; null while it is the server's to end. */
  #ownEnd: ConnectionEnd | null = null;
  #lastByteMs: number;
  #isWaitingForRoom = false;

  constructor(request: SourceRequest, limits: AttemptLimits, sink: AttemptSink, clock: Clock) {
    this.#request = request;
    this.#limits = limits;
    this.#sink = sink;
    this.#clock = clock;
    this.#lastByteMs = clock.monotonicMs();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = promise;
    this.#abort.signal.addEventListener("abort", () => resolve(), { once: true });
    this.done = this.#run();
  }

  /** Ends it from our side; `done` resolves with `aborted`. */
  close(): void {
    this.#endWith({ end: "aborted" });
  }

  async #run(): Promise<ConnectionEnd> {
    const { connectTimeoutMs } = this.#limits;
    const nowMs = this.#clock.nowMs;
    const stream = await openHttpStream(this.#request, { connectTimeoutMs, signal: this.#abort, nowMs });
    if ("end" in stream) return stream.end;
    if (this.#ownEnd !== null) return this.#ownEnd;
    this.#sink.opened(stream.serverOffsetMs);
    this.#lastByteMs = this.#clock.monotonicMs();
    // undici's own body limit (300 s between chunks) only ever strikes later than ours or reads as a cut.
    const watchdog = setInterval(() => this.#watch(), Math.max(20, this.#limits.idleTimeoutMs / 8));
    try {
      return await this.#parse(stream.reader);
    } finally {
      clearInterval(watchdog);
      this.#abort.abort();
    }
  }

  async #parse(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<ConnectionEnd> {
    const read = async (): Promise<Uint8Array | null> => {
      await this.#waitForRoom();
      const result = await reader.read();
      if (result.done) return null;
      this.#lastByteMs = this.#clock.monotonicMs();
      this.#sink.received();
      return result.value;
    };
    const end = await parseFrames({ read }, this.#limits, this.#sink);
    if (end.isCut) this.#sink.cutFrame();
    if (this.#ownEnd !== null) return this.#ownEnd;
    if (end.isEndless) return { end: "endless-frame" };
    return end.error === null ? { end: "closed" } : { end: "cut", reason: causeOf(end.error).text };
  }

  async #waitForRoom(): Promise<void> {
    const room = this.#sink.room();
    if (room === null) return;
    this.#isWaitingForRoom = true;
    await Promise.race([room, this.#ended]);
    this.#isWaitingForRoom = false;
    // A full disk may last: ending the connection must not wait for it.
    this.#abort.signal.throwIfAborted();
    // Silence while we did not read says nothing about the server.
    this.#lastByteMs = this.#clock.monotonicMs();
  }

  #watch(): void {
    const idleMs = this.#clock.monotonicMs() - this.#lastByteMs;
    if (this.#isWaitingForRoom || idleMs < this.#limits.idleTimeoutMs) return;
    this.#endWith({ end: "idle", idleMs: this.#limits.idleTimeoutMs });
  }

  /** Aborting makes the pending read fail, so that a frame that was begun is still accounted for. */
  #endWith(end: ConnectionEnd): void {
    this.#ownEnd ??= end;
    this.#abort.abort();
  }
}
