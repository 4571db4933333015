import { EventSource, type FetchLikeResponse } from "eventsource";
import { randomUUID } from "node:crypto";
import type { FrameLimits, ReceivedFrame } from "../source-contract.ts";
import { bytesOf, textOf, toByteText } from "./byte-string.ts";
import { FrameCap, type CapStep } from "./frame-cap.ts";
import type { OversizedFrame } from "./oversized-frame.ts";

/** The parser holds text; V8 has no longer strings than 2^29 characters, and a byte above 127 takes two on the way. */
const CAP_LIMIT_BYTES = 256 * 1_048_576;

/** Where the bytes of one stream come from. */
export type ByteSource = {
  /** The next bytes; null at the end. A rejection ends the stream as a cut does. */
  readonly read: () => Promise<Uint8Array | null>;
};

/** What one stream gave besides its frames. */
export type StreamEnd = {
  /** The last frame was begun and not ended; it and its id were dropped, as SSE demands. */
  readonly isCut: boolean;
  /** An oversized frame went on for longer than is read away; nothing behind it was read. */
  readonly isEndless: boolean;
  /** What reading failed with; null after a clean end. */
  readonly error: Error | null;
};

/** What a stream is parsed into. `take` is called in order, synchronously after the bytes were read. */
export type FrameSink = {
  readonly take: (frame: ReceivedFrame) => void;
  /** Frames without data, so many more. */
  readonly takeEmpty: (count: number) => void;
};

/** A text/event-stream being parsed. `done` never rejects for the stream's sake; it does when the sink throws. */
export type FrameParser = { readonly done: Promise<StreamEnd>; readonly close: () => void };

/**
 * Parses one text/event-stream with the `eventsource` package (HTML standard, 9.2), one EventSource for one stream.
 * Its reconnect, last id and retry never come into play: it is closed when the bytes end. What it cannot do stands in
 * front of it: whole frames only and the cap (FrameCap), exact bytes (byte-string.ts).
 */
export function parseFrames(source: ByteSource, limits: FrameLimits, sink: FrameSink): FrameParser {
  const stream = new FrameStream(source, limits, sink);
  return { done: stream.done, close: () => stream.close() };
}

/** The package delivers each event type to its own listeners only; a feed may use any type, so all are taken here. */
class AnyTypeEventSource extends EventSource {
  onAnyMessage: ((event: MessageEvent) => void) | null = null;

  override dispatchEvent(event: Event): boolean {
    if (event instanceof MessageEvent) this.onAnyMessage?.(event);
    return true;
  }
}

class FrameStream {
  readonly done: Promise<StreamEnd>;
  readonly #source: ByteSource;
  readonly #sink: FrameSink;
  readonly #cap: FrameCap;
  readonly #parser: AnyTypeEventSource;
  readonly #resolve: (end: StreamEnd) => void;
  readonly #reject: (error: unknown) => void;
  readonly #steps: CapStep[] = [];
  /** Stands in for the data of an oversized frame on its way through the parser; no feed can guess it. */
  readonly #token = randomUUID();
  #oversized: OversizedFrame | null = null;
  #end: StreamEnd | null = null;
  #emptyTold = 0;

  constructor(source: ByteSource, limits: FrameLimits, sink: FrameSink) {
    this.#source = source;
    this.#sink = sink;
    const capBytes = Math.min(limits.capBytes, CAP_LIMIT_BYTES);
    this.#cap = new FrameCap({ ...limits, capBytes });
    const { promise, resolve, reject } = Promise.withResolvers<StreamEnd>();
    this.done = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    // The address is never used: our fetch answers with the stream that is already open.
    this.#parser = new AnyTypeEventSource("http://stream.invalid/", {
      fetch: async () => this.#response(),
      maxBufferSize: capBytes + 65_536,
    });
    this.#parser.onAnyMessage = (event) => this.#take(event);
  }

  close(): void {
    this.#finish({ isCut: false, isEndless: false, error: null });
  }

  #response(): FetchLikeResponse {
    const headers = { get: (name: string) => (name === "content-type" ? "text/event-stream" : null) };
    const reader = { read: () => this.#read(), cancel: async () => undefined };
    return { body: { getReader: () => reader }, url: "", status: 200, redirected: false, headers };
  }

  /** The parser asks for more only after it took everything before, which keeps frames and steps in one order. */
  async #read(): Promise<{ done: false; value: Uint8Array } | { done: true }> {
    try {
      for (;;) {
        const step = this.#steps.shift();
        if (step !== undefined) {
          const text = this.#textOf(step);
          if (text !== null) return { done: false, value: text };
        } else if (this.#end !== null) {
          this.#finish(this.#end);
          return { done: true };
        } else await this.#fill();
      }
    } catch (error) {
      this.#fail(error);
      return { done: true };
    }
  }

  async #fill(): Promise<void> {
    let chunk: Uint8Array | null = null;
    let failure: Error | null = null;
    try {
      chunk = await this.#source.read();
    } catch (error) {
      // A broken socket is one of the ways a stream ends; the connection's state machine decides what it means.
      failure = error instanceof Error ? error : new Error(String(error));
    }
    if (chunk === null) {
      const { step, isCut } = this.#cap.end();
      if (step !== null) this.#steps.push(step);
      this.#end = { isCut, isEndless: false, error: failure };
      return;
    }
    for (const step of this.#cap.push(chunk)) this.#steps.push(step);
    if (this.#steps.at(-1)?.step === "endless") this.#end = { isCut: false, isEndless: true, error: null };
    const { emptyFrames } = this.#cap;
    if (emptyFrames > this.#emptyTold) this.#sink.takeEmpty(emptyFrames - this.#emptyTold);
    this.#emptyTold = emptyFrames;
  }

  #textOf(step: CapStep): Uint8Array | null {
    if (step.step === "frames") return toByteText(step.bytes);
    const { frame } = step;
    const lines: Uint8Array[] = [];
    if (frame.event !== null) lines.push(Buffer.from("event:"), frame.event, Buffer.from("\n"));
    if (frame.id !== null) lines.push(Buffer.from("id: "), frame.id, Buffer.from("\n"));
    if (frame.hasData) lines.push(Buffer.from(`data:${this.#token}\n`));
    if (lines.length === 0) return null;
    this.#oversized = frame.hasData ? frame : null;
    return toByteText(Buffer.concat([...lines, Buffer.from("\n")]));
  }

  #take(event: MessageEvent): void {
    const text: unknown = event.data;
    if (typeof text !== "string") throw new TypeError("the parser gave an event without text");
    const stream = textOf(event.type);
    const sourceId = textOf(event.lastEventId);
    try {
      if (this.#oversized !== null && text === this.#token) {
        const { data, detail } = this.#oversized;
        this.#oversized = null;
        this.#sink.take({
          kind: "oversized",
          stream,
          sourceId,
          data,
          detail: JSON.stringify(detail),
          position: null,
        });
        return;
      }
      this.#sink.take({ kind: "event", stream, sourceId, data: bytesOf(text), detail: null, position: null });
    } catch (error) {
      this.#fail(error);
    }
  }

  #finish(end: StreamEnd): void {
    this.#parser.close();
    this.#resolve(end);
  }

  #fail(error: unknown): void {
    this.#parser.close();
    this.#reject(error);
  }
}
