import type { Placement } from "../protocol/change.ts";

/**
 * Watermark of one source (architecture.md "Words"): at offset n the maximum, over the records m < n that reached
 * bronze, of event time of m − allowed lateness in force at m. It never falls.
 */
export class Watermark {
  #us: number | null;
  #maxEventTimeUs: number | null;

  constructor(us: number | null, maxEventTimeUs: number | null) {
    this.#us = us;
    this.#maxEventTimeUs = maxEventTimeUs;
  }

  /** At the next offset, microseconds; null before the first bronze record. */
  get us(): number | null {
    return this.#us;
  }

  /** Newest event time of bronze so far, microseconds. */
  get maxEventTimeUs(): number | null {
    return this.#maxEventTimeUs;
  }

  /** Where a record with this event time stands at the next offset. */
  place(eventTimeUs: number): Placement {
    const behindUs = this.#maxEventTimeUs === null ? 0 : Math.max(0, this.#maxEventTimeUs - eventTimeUs);
    return {
      watermarkUs: this.#us,
      late: this.#us !== null && eventTimeUs < this.#us,
      latenessMs: Math.ceil(behindUs / 1_000),
    };
  }

  /** A record reached bronze; returns the watermark after it. */
  advance(eventTimeUs: number, allowedLatenessMs: number): number {
    const candidate = eventTimeUs - allowedLatenessMs * 1_000;
    this.#us = this.#us === null ? candidate : Math.max(this.#us, candidate);
    this.#maxEventTimeUs =
      this.#maxEventTimeUs === null ? eventTimeUs : Math.max(this.#maxEventTimeUs, eventTimeUs);
    return this.#us;
  }
}
