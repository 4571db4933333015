/** How often a page on screen is asked whether it still runs. */
export const PULSE_EVERY_MS = 5_000;
/** Looks without an answer after which a page is taken for hung; the longest work of ours takes a fraction of a second. */
const MAX_UNANSWERED = 4;

/** What a pulse asks and tells. */
export type PulseParts = {
  /** Resolves once the page has run something; a rejection is an answer too (the page is going away). */
  readonly ask: () => Promise<unknown>;
  /** False while the page is hidden or loads: then nothing is expected of it. */
  readonly isExpected: () => boolean;
  readonly onHung: () => void;
};

/**
 * Whether a page still runs, by asking it one thing at a time. Counted in looks and not in time, so that a machine that slept
 * has not missed any. (Chromium's own "unresponsive" needs input, and is silent while a debugger is attached.)
 */
export class PagePulse {
  readonly #parts: PulseParts;
  #unanswered = 0;
  #question = 0;

  constructor(parts: PulseParts) {
    this.#parts = parts;
  }

  /** One look; call it every {@link PULSE_EVERY_MS}. */
  look(): void {
    if (!this.#parts.isExpected()) return this.reset();
    if (this.#unanswered >= MAX_UNANSWERED) {
      this.reset();
      return this.#parts.onHung();
    }
    this.#unanswered += 1;
    if (this.#unanswered > 1) return;
    const question = this.#question;
    const answered = (): void => {
      // The answer of a page that was given up says nothing of the one after it.
      if (question === this.#question) this.#unanswered = 0;
    };
    this.#parts.ask().then(answered, answered);
  }

  /** Forgets what was asked: another page is there. */
  reset(): void {
    this.#unanswered = 0;
    this.#question += 1;
  }
}
