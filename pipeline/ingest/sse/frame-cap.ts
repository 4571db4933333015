import type { FrameLimits } from "../source-contract.ts";
import { ByteHold } from "./byte-hold.ts";
import { LineScanner, type LineKind } from "./line-kind.ts";
import { OversizedCollector, type OversizedFrame } from "./oversized-frame.ts";

/** An oversized frame is read away up to this many times the cap; one that goes on has no end, and the connection is given up. */
const READ_AWAY_FACTOR = 64;

/** What a chunk led to. `bytes` holds only whole frames. An oversized frame comes alone, in its place in the order. */
export type CapStep =
  | { readonly step: "frames"; readonly bytes: Uint8Array }
  | { readonly step: "oversized"; readonly frame: OversizedFrame }
  /** An oversized frame that does not end: kept as far as it came, and nothing behind it can be read. */
  | { readonly step: "endless"; readonly frame: OversizedFrame };

/**
 * Finds frame boundaries, so that the parser behind it only ever sees whole frames, and counts the bytes of each frame,
 * however it is cut into chunks, against the cap. Below the cap bytes pass unchanged; above it the frame is taken out.
 * Holds at most one partial frame of at most the cap.
 */
export class FrameCap {
  readonly #limits: FrameLimits;
  readonly #lines = new LineScanner();
  readonly #held = new ByteHold();
  #frameBytes = 0;
  #isFirstFrame = true;
  #hasData = false;
  #hasField = false;
  #oversized: OversizedCollector | null = null;
  #emptyFrames = 0;

  constructor(limits: FrameLimits) {
    this.#limits = limits;
  }

  /** Frames so far that have fields and no data; SSE ignores them. */
  get emptyFrames(): number {
    return this.#emptyFrames;
  }

  /** Takes a chunk; gives what it completed, in order. */
  push(bytes: Uint8Array): readonly CapStep[] {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const steps: CapStep[] = [];
    let frameStart = 0;
    let wholeUpTo = 0;
    let at = 0;
    for (let line = this.#lines.next(chunk, at); line !== null; line = this.#lines.next(chunk, at)) {
      at = line.at;
      if (line.kind !== "blank") {
        this.#note(line.kind);
        continue;
      }
      this.#frameBytes += at - frameStart;
      if (this.#oversized !== null || this.#frameBytes > this.#limits.capBytes) {
        if (frameStart > wholeUpTo) this.#pass(steps, chunk.subarray(wholeUpTo, frameStart));
        steps.push(this.#endOversized(chunk.subarray(frameStart, at)));
        wholeUpTo = at;
      }
      this.#beginFrame();
      frameStart = at;
    }
    if (frameStart > wholeUpTo) this.#pass(steps, chunk.subarray(wholeUpTo, frameStart));
    if (frameStart < chunk.length) this.#hold(steps, chunk.subarray(frameStart));
    return steps;
  }

  /** Ends the stream. An oversized frame without its end is kept; any other frame that is cut has to be dropped, with its id. */
  end(): { readonly step: CapStep | null; readonly isCut: boolean } {
    const { partial } = this.#lines;
    const isStarted = this.#hasData || this.#hasField || partial === "data" || partial === "field";
    if (this.#oversized === null) return { step: null, isCut: isStarted };
    const frame = this.#oversized.finish();
    this.#oversized = null;
    // Its id is not taken: SSE drops the id of a frame that was cut, so the next resume asks for it again.
    return {
      step: frame.hasData ? { step: "oversized", frame: { ...frame, id: null } } : null,
      isCut: !frame.hasData,
    };
  }

  #note(kind: LineKind): void {
    if (kind === "data") this.#hasData = true;
    else if (kind === "field") this.#hasField = true;
  }

  #beginFrame(): void {
    if (!this.#hasData && this.#hasField) this.#emptyFrames += 1;
    this.#hasData = false;
    this.#hasField = false;
    this.#frameBytes = 0;
    this.#isFirstFrame = false;
  }

  /** Passes whole frames on; what is held can only be the beginning of the first of them. */
  #pass(steps: CapStep[], bytes: Uint8Array): void {
    steps.push({ step: "frames", bytes: this.#held.length === 0 ? bytes : this.#held.takeWith(bytes) });
  }

  #hold(steps: CapStep[], bytes: Uint8Array): void {
    this.#frameBytes += bytes.length;
    if (this.#oversized === null && this.#frameBytes <= this.#limits.capBytes) {
      this.#held.add(bytes);
      return;
    }
    this.#collect(bytes);
    if (this.#frameBytes <= this.#limits.capBytes * READ_AWAY_FACTOR) return;
    const { step } = this.end();
    if (step?.step === "oversized") steps.push({ step: "endless", frame: step.frame });
  }

  #collect(bytes: Uint8Array): OversizedCollector {
    this.#oversized ??= new OversizedCollector(this.#limits.keepBytes, this.#isFirstFrame);
    this.#oversized.push(this.#held.takeWith(bytes));
    return this.#oversized;
  }

  #endOversized(bytes: Uint8Array): CapStep {
    const frame = this.#collect(bytes).finish();
    this.#oversized = null;
    return { step: "oversized", frame };
  }
}
