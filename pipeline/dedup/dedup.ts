import type { ResultSettings } from "#storage/model/settings.ts";
import { type Evicted, HeldKeys } from "./held-keys.ts";

/**
 * What one source's dedup remembers (architecture.md "Dedup on meta.id"): ids of bronze records and, against the
 * overlap of a resume, sha256 of dead letters. A function of the log alone: the watermark at an offset, the settings in
 * force there and the order of offsets decide, never time or batches.
 */
export class Dedup {
  readonly #ids = new HeldKeys();
  readonly #letters = new HeldKeys();
  #hasWatermark = false;

  /** Lets go of what the watermark at the next offset has passed. Call before asking at that offset. */
  advance(watermarkUs: number | null): void {
    this.#ids.expire(watermarkUs);
    this.#letters.expire(watermarkUs);
  }

  isDuplicate(id: string): boolean {
    return this.#ids.has(id);
  }

  isRepeat(sha256: string): boolean {
    return this.#letters.has(sha256);
  }

  /** Holds the id of a record that reached bronze; `watermarkUs` is the one after its offset. */
  holdId(id: string, offset: number, watermarkUs: number, settings: ResultSettings): Evicted {
    this.seeWatermark(watermarkUs);
    this.#ids.add(id, offset, watermarkUs, settings.dedupHorizonMs * 1_000);
    return this.#ids.evictBeyond(settings.dedupMaxIds);
  }

  /** The first watermark there is: the horizon of dead letters before it begins with it. */
  seeWatermark(watermarkUs: number): void {
    if (this.#hasWatermark) return;
    this.#hasWatermark = true;
    this.#letters.anchor(watermarkUs);
  }

  /** Holds the hash of a dead letter; `watermarkUs` is null before the first bronze record. */
  holdLetter(sha256: string, offset: number, watermarkUs: number | null, settings: ResultSettings): Evicted {
    this.#letters.add(sha256, offset, watermarkUs, settings.dedupHorizonMs * 1_000);
    return this.#letters.evictBeyond(settings.dedupMaxIds);
  }

  /** Applies a lower cap at the offset of the settings record that set it. */
  applyCap(settings: ResultSettings): Evicted {
    return [
      ...this.#ids.evictBeyond(settings.dedupMaxIds),
      ...this.#letters.evictBeyond(settings.dedupMaxIds),
    ];
  }

  /** H: ids of bronze records from here on are held; null where none is. */
  firstIdOffset(): number | null {
    return this.#ids.firstOffset();
  }

  /** Dead letters from here on are held; null where none is. */
  firstLetterOffset(): number | null {
    return this.#letters.firstOffset();
  }

  get heldIds(): number {
    return this.#ids.size;
  }
}
