import { type Offset, type SourceName, toOffset } from "#storage/model/brand.ts";
import type { Gap } from "#storage/model/ledger.ts";

/** Ranges listed one by one; what comes beyond is taken into the last one. */
const MAX_RANGES = 100;

type Range = { fromOffset: number; toOffset: number; reason: string };

/** What has to be found again after a restart: the newest range, which may still grow, and how many there are. */
export type LostMemory = { readonly last: Range | null; readonly count: number };

/** Nothing lost. */
export const NO_LOST_MEMORY: LostMemory = { last: null, count: 0 };

/**
 * Places of the log at which records may be missing without a hole in the source's numbering that says so: offsets that
 * cannot be read, a tail that is lost, a position that the source refused. Listed as gaps without a topic, in offsets of
 * the log, and open for ever: whether everything came again cannot be told. A function of the log alone.
 */
export class LostRanges {
  readonly #source: SourceName;
  #last: Range | null;
  #count: number;
  readonly #changed = new Map<number, Gap>();

  constructor(source: SourceName, memory: LostMemory) {
    this.#source = source;
    this.#last = memory.last === null ? null : { ...memory.last };
    this.#count = memory.count;
  }

  /** An offset that cannot be read; those in a row are one range. */
  seeUnreadable(offset: number): void {
    this.#add(offset, offset, "records of the log that cannot be read", offset);
  }

  /** The source did not take the stored position and was asked from a time instead. */
  seeRefused(status: number, sinceMs: number, at: Offset): void {
    const since = new Date(sinceMs).toISOString();
    const reason = `the source refused the stored position (status ${status}) and was asked from ${since} on`;
    this.#add(at, at, reason, at);
  }

  /** The log lost these offsets; the lake, or a segment that was set aside, held them. */
  seeTailLost(fromOffset: number, lastOffset: number, at: Offset): void {
    this.#add(
      fromOffset,
      lastOffset,
      "the log lost these records; the source was asked again from before them",
      at,
    );
  }

  /** Ranges that are new or grew since the last call. */
  takeChanged(): readonly Gap[] {
    const changed = [...this.#changed.values()];
    this.#changed.clear();
    return changed;
  }

  memory(): LostMemory {
    return { last: this.#last === null ? null : { ...this.#last }, count: this.#count };
  }

  #add(fromOffset: number, last: number, reason: string, at: number): void {
    const before = this.#last;
    const isNext = before !== null && before.toOffset === fromOffset - 1 && before.reason === reason;
    if (before !== null && (isNext || this.#count >= MAX_RANGES)) {
      before.toOffset = Math.max(before.toOffset, last);
      if (!isNext)
        before.reason = `more than ${MAX_RANGES} losses; from here on they are not listed one by one`;
    } else {
      // A lost tail that also cannot be read stands on the same place: the later one says more.
      if (before?.fromOffset !== fromOffset) this.#count += 1;
      this.#last = { fromOffset, toOffset: last, reason };
    }
    this.#put(this.#last, at);
  }

  #put(range: Range | null, at: number): void {
    if (range === null) return;
    this.#changed.set(range.fromOffset, {
      source: this.#source,
      topic: "",
      partition: 0,
      ...range,
      state: "open",
      seenAt: toOffset(range.fromOffset),
      changedAt: toOffset(at),
    });
  }
}
