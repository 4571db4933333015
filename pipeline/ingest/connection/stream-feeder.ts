import type { Clock } from "#storage/model/clock.ts";
import type { IngestSettings } from "#storage/model/settings.ts";
import type { SourceSpec } from "../../protocol/worker-messages.ts";
import type { Feeder, FeederSink } from "../feeder.ts";
import type { GapAsk, SourceRequest, StreamSource } from "../source-contract.ts";
import { SseAttempt } from "../sse/sse-attempt.ts";
import type { ConnectionEnd } from "./connection-end.ts";
import { describeEnd } from "./describe-end.ts";
import { GapAsks } from "./gap-asks.ts";
import { nextConnection, NEW_CONNECTION, type Connection, type ConnectionEvent } from "./next-connection.ts";
import { ResumeRewind } from "./resume-rewind.ts";

/** What a stream feeder works with. */
export type StreamFeederOptions = {
  readonly source: StreamSource;
  readonly spec: SourceSpec & { kind: "sse" };
  readonly settings: () => IngestSettings;
  /** Dedup horizon in force, ms: asks never go further back. */
  readonly horizonMs: () => number;
  readonly sink: FeederSink;
  readonly clock: Clock;
  /** In [0, 1); for jitter. */
  readonly random: () => number;
};

/** A feeder that keeps exactly one connection to a stream, and resumes it without losing a record. */
export function createStreamFeeder(options: StreamFeederOptions): Feeder {
  const feeder = new StreamFeeder(options);
  return {
    state: () => feeder.state,
    start: () => feeder.step({ type: "start" }),
    pause: () => feeder.step({ type: "pause" }),
    resume: () => feeder.step({ type: "resume" }),
    ask: (gap) => feeder.ask(gap),
    stop: () => feeder.stop(),
    finished: feeder.finished,
  };
}

/** The shell of next-connection.ts: carries its steps out. Lifetime: one source, until stop. */
class StreamFeeder {
  readonly finished: Promise<"end-of-source">;
  readonly #fail: (error: unknown) => void;
  readonly #options: StreamFeederOptions;
  readonly #asks = new GapAsks();
  readonly #rewind = new ResumeRewind();
  #hasDelivered = false;
  #connection: Connection = NEW_CONNECTION;
  #attempt: SseAttempt | null = null;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(options: StreamFeederOptions) {
    this.#options = options;
    const { promise, reject } = Promise.withResolvers<"end-of-source">();
    this.finished = promise;
    this.#fail = reject;
  }

  get state(): Connection["state"] {
    return this.#connection.state;
  }

  ask(gap: GapAsk): void {
    const refusal = this.#asks.add(gap);
    if (refusal !== null) this.#options.sink.log("warn", `hole in ${gap.topic} not asked for: ${refusal}`);
  }

  async stop(): Promise<void> {
    this.step({ type: "finish", reason: "stopped" });
    await this.#running;
  }

  step(event: ConnectionEvent): void {
    const { backoffMinMs, backoffMaxMs } = this.#options.settings();
    const before = this.#connection.state;
    const { connection, waitMs, note } = nextConnection(this.#connection, event, {
      nowMs: this.#options.clock.nowMs(),
      random: this.#options.random(),
      backoffMinMs,
      backoffMaxMs,
    });
    this.#connection = connection;
    if (note !== null) this.#options.sink.note(note);
    if (connection.state.state === before.state) return;
    this.#clearTimer();
    const { state } = connection.state;
    if (waitMs !== null) this.#timer = setTimeout(() => this.step({ type: "timer" }), waitMs);
    if (state === "connecting") this.#running = this.#connect(this.#running);
    if (state === "paused" || state === "ended" || state === "failed") this.#attempt?.close();
  }

  /** The connection before is over, whatever ended it, before the next one begins: never two at once. */
  async #connect(before: Promise<void>): Promise<void> {
    await before;
    // Paused or stopped while the old connection was being closed.
    if (this.#connection.state.state !== "connecting" || this.#attempt !== null) return;
    try {
      const { request, asks } = this.#nextRequest();
      const end = await this.#attemptOnce(request, asks);
      this.#attempt = null;
      this.#afterAttempt(end, request);
    } catch (error) {
      this.#attempt = null;
      this.#fail(error);
    }
  }

  #nextRequest(): { request: SourceRequest; asks: readonly GapAsk[] } {
    const { source, spec, settings, horizonMs, sink } = this.#options;
    const { resumeRewindMs, userAgentContact } = settings();
    const position = sink.position();
    const newestMs = source.newestTimeMs(position);
    const rewindMs = this.#rewind.next(resumeRewindMs, newestMs, this.#hasDelivered);
    this.#hasDelivered = false;
    if (rewindMs < resumeRewindMs)
      sink.log("info", `rewinding ${rewindMs} ms only, to get past what was repeated`);
    const { asks, refused } = this.#asks.select(newestMs, horizonMs(), rewindMs);
    for (const { topic, fromOffset, toOffset } of refused) {
      sink.log(
        "warn",
        `hole ${fromOffset} to ${toOffset} in ${topic} lies beyond the dedup horizon; not asked for`,
      );
    }
    const by = this.#connection.resumeBy;
    const ask = { position, by, rewindMs, asks, contact: userAgentContact };
    return { request: source.request(spec, ask), asks: by === "cursor" ? asks : [] };
  }

  #attemptOnce(request: SourceRequest, asks: readonly GapAsk[]): Promise<ConnectionEnd> {
    const { settings, sink, clock } = this.#options;
    const { frameCapBytes, oversizedKeepBytes, connectTimeoutMs, idleTimeoutMs } = settings();
    const limits = {
      capBytes: frameCapBytes,
      keepBytes: oversizedKeepBytes,
      connectTimeoutMs,
      idleTimeoutMs,
    };
    this.#attempt = new SseAttempt(
      request,
      limits,
      {
        ...sink,
        opened: (serverOffsetMs) => {
          this.step({ type: "opened" });
          sink.opened(serverOffsetMs);
          // Noted once the answer is here and before its first record: an attempt that never got through asked nothing.
          for (const note of this.#asks.settle(asks)) sink.note(note);
        },
        take: (frame) => {
          sink.take(frame);
          this.#hasDelivered = true;
          const { state } = this.#connection;
          if (state.state === "open" && !state.receiving) this.step({ type: "record" });
        },
      },
      clock,
    );
    return this.#attempt.done;
  }

  #afterAttempt(end: ConnectionEnd, request: SourceRequest): void {
    const { sink } = this.#options;
    if (end.end !== "aborted") {
      sink.log(describeEnd(end).remedy === null ? "info" : "warn", describeEnd(end).reason);
    }
    this.step({ type: "ended", end: this.#withFallback(end) });
    if (end.end === "refused" && end.status === 400 && request.resumedBy === "cursor") {
      sink.log("warn", "the source refused the stored position; going on from a time before it");
    }
  }

  #withFallback(end: ConnectionEnd): ConnectionEnd {
    if (end.end !== "refused" || end.resumedBy !== "cursor") return end;
    const { source, spec, settings, sink } = this.#options;
    const { resumeRewindMs: rewindMs, userAgentContact: contact } = settings();
    const ask = { position: sink.position(), by: "since", rewindMs, asks: [], contact } as const;
    return { ...end, fallbackSinceMs: source.request(spec, ask).sinceMs };
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
