import type { ServerResponse } from "node:http";
import { mix } from "../generate/random.ts";
import type { FeedContext } from "./feed-context.ts";
import type { Frame, FrameSource } from "./frame-source.ts";
import { oddPieces } from "./odd-pieces.ts";

/** A write carries at least this much where there is more to send: few system calls, little memory. Characters. */
const BATCH_LENGTH = 32_768;
/** Faults `cut` and `stall` strike after this many new events. */
const FAULT_MIN_EVENTS = 20;
const FAULT_SPREAD_EVENTS = 380;
const SALT_FAULT = 60;

/** How the body looks. */
export type BodyStyle = "sse" | "ndjson";

/**
 * One client's stream. Frames are made when the socket takes them, so a slow client costs one batch of memory.
 * Ends when the client leaves, the connection's time is over, a fault cuts it, or the feed stops.
 */
export class Connection {
  readonly #context: FeedContext;
  readonly #response: ServerResponse;
  readonly #frames: FrameSource;
  readonly #style: BodyStyle;
  readonly #number: number;
  readonly #lineEnd: string;
  #newEventsLeft: number;
  #batch = "";
  #isGone = false;
  #mustEnd = false;
  #wake: (() => void) | null = null;

  constructor(
    context: FeedContext,
    response: ServerResponse,
    frames: FrameSource,
    style: BodyStyle,
    number: number,
  ) {
    this.#context = context;
    this.#response = response;
    this.#frames = frames;
    this.#style = style;
    this.#number = number;
    this.#lineEnd = context.plan.faults.has("crlf") ? "\r\n" : "\n";
    const canFail = context.plan.faults.has("cut") || context.plan.faults.has("stall");
    const spread = mix(context.plan.seed, number, SALT_FAULT) % FAULT_SPREAD_EVENTS;
    this.#newEventsLeft = canFail ? FAULT_MIN_EVENTS + spread : Number.POSITIVE_INFINITY;
  }

  /** Serves until the end; resolves when the response is over. */
  async serve(): Promise<void> {
    const timer = setTimeout(() => this.cut(), this.#context.connectionMaxMs);
    this.#response.on("drain", this.wake).on("close", () => {
      this.#isGone = true;
      this.wake();
    });
    try {
      this.#batch = this.#opening();
      await this.#loop();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Looks again whether there is something to send. */
  readonly wake = (): void => {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  };

  /** Ends the connection inside the next frame, as the CDN does. A client that does not read is cut off. */
  cut(): void {
    this.#mustEnd = true;
    if (this.#response.writableNeedDrain) this.#response.destroy();
    this.wake();
  }

  async #loop(): Promise<void> {
    while (!this.#isGone) {
      if (this.#response.writableNeedDrain) {
        await this.#sleep();
        continue;
      }
      if (this.#mustEnd) return this.#endInside(this.#nextFrame());
      const frame = this.#nextFrame();
      if (frame === null) {
        await this.#flush();
        // Something may have come while the pieces went out.
        if (!this.#response.writableNeedDrain) await this.#sleep();
      } else if (this.#isNew(frame) && this.#newEventsLeft <= 0) {
        return this.#fail(frame);
      } else {
        await this.#send(frame);
      }
    }
  }

  #nextFrame(): Frame | null {
    return this.#frames.next(this.#context.producer.available());
  }

  async #send(frame: Frame): Promise<void> {
    if (this.#isNew(frame)) this.#newEventsLeft -= 1;
    this.#batch += this.#text(frame);
    this.#count(frame);
    if (this.#batch.length < BATCH_LENGTH && !this.#context.plan.faults.has("chunks")) return;
    await this.#flush();
    // Other connections, timers and requests get their turn even when the client is as fast as we are.
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }

  #count(frame: Frame): void {
    const { book, producer, countSent } = this.#context;
    countSent();
    if (frame.position !== null) producer.advanceFrontier(frame.position);
    if (book === null) return;
    if ("event" in frame.what) book.countEvent(frame.what.event, frame.data);
    else book.countCanary(frame.what.topic, frame.what.canary);
  }

  #isNew(frame: Frame): boolean {
    return frame.position !== null && frame.position >= this.#context.producer.frontier;
  }

  async #flush(): Promise<void> {
    const text = this.#batch;
    this.#batch = "";
    if (text === "" || this.#isGone) return;
    if (!this.#context.plan.faults.has("chunks")) {
      this.#response.write(text);
      return;
    }
    for (const piece of oddPieces(Buffer.from(text), this.#context.plan.seed)) {
      this.#response.write(piece);
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
  }

  #sleep(): Promise<void> {
    if (this.#isGone) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #fail(frame: Frame): Promise<void> {
    const { faults, seed } = this.#context.plan;
    const both = faults.has("cut") && faults.has("stall");
    const stalls = both ? mix(seed, this.#number, SALT_FAULT + 1) % 2 === 0 : faults.has("stall");
    if (!stalls) return this.#endInside(frame);
    await this.#flush();
    while (!this.#isGone && !this.#mustEnd) await this.#sleep();
    if (!this.#isGone) this.#response.end();
  }

  /** Everything before `frame` arrives whole, of `frame` the first half. Every other time the chunked body is aborted, not ended. */
  async #endInside(frame: Frame | null): Promise<void> {
    await this.#flush();
    if (frame === null || this.#number % 2 === 0) {
      this.#response.end(frame === null ? "" : this.#half(frame));
      return;
    }
    this.#response.write(this.#half(frame), () => this.#response.destroy());
  }

  #half(frame: Frame): string {
    const text = this.#text(frame);
    return text.slice(0, Math.floor(text.length / 2));
  }

  #opening(): string {
    if (this.#style === "ndjson") return "\n";
    const mark = this.#context.plan.faults.has("bom") ? "\uFEFF" : "";
    return `${mark}:ok${this.#lineEnd}${this.#lineEnd}`;
  }

  #text(frame: Frame): string {
    if (this.#style === "ndjson") return `${frame.data}\n`;
    const end = this.#lineEnd;
    return `event: message${end}id: ${frame.id}${end}data: ${frame.data}${end}${end}`;
  }
}
