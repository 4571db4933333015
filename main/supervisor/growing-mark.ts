/**
 * A worker's own count, made to grow over its restarts: each process counts from nothing, and a mark that fell back would
 * take the progress of the new process for none until it had caught up with the old one.
 */
export class GrowingMark {
  #before = 0;
  #last = 0;

  /** The count of all processes so far; `count` is what the process at hand says. */
  take(count: number): number {
    if (count < this.#last) this.#before += this.#last;
    this.#last = count;
    return this.#before + count;
  }
}
