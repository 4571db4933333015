/** Rates are over this much true elapsed time (telemetry.ts). */
const WINDOW_MS = 5_000;
/** A sample at most this often, so that the window holds at most 21. */
const SAMPLE_MS = 250;

/** Turns a count that only grows into a rate over the last seconds. Times are monotonic milliseconds. */
export class RateWindow {
  #samples: { readonly atMs: number; readonly count: number }[] = [];

  /** Records the count now and returns how many a second came within the window. */
  perSecond(count: number, atMs: number): number {
    const last = this.#samples.at(-1);
    if (last === undefined || atMs - last.atMs >= SAMPLE_MS) this.#samples.push({ atMs, count });
    // One sample at or before the window's start is kept, as what the rate is measured from.
    while ((this.#samples[1]?.atMs ?? Infinity) <= atMs - WINDOW_MS) this.#samples.shift();
    const first = this.#samples[0];
    if (first === undefined || atMs - first.atMs < SAMPLE_MS) return 0;
    return ((count - first.count) * 1_000) / (atMs - first.atMs);
  }
}
