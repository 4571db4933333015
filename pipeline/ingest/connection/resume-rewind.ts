/**
 * How far the next resume rewinds. Normally the setting. A connection that delivered and still ended before the position
 * moved spent itself on repeats (cut after few records, at a high rate); rewinding as far again would never get past
 * them, so the rewind is halved until one gets through and then grows back. Any rewind of at least 1 ms resumes at or
 * before the newest record that was delivered, so a shorter one gives up margin, not records.
 */
export class ResumeRewind {
  #divisor = 1;
  #lastMs: number | null = null;

  /** The rewind for a resume at `newestMs`, after a connection that delivered something or not. */
  next(settingMs: number, newestMs: number | null, hasDelivered: boolean): number {
    const isStuck = hasDelivered && newestMs !== null && this.#lastMs !== null && newestMs <= this.#lastMs;
    if (isStuck) this.#divisor = Math.min(this.#divisor * 2, 2 ** 30);
    else if (hasDelivered) this.#divisor = Math.max(1, this.#divisor / 2);
    this.#lastMs = newestMs;
    return Math.max(1, Math.floor(settingMs / this.#divisor));
  }
}
