/** Keys that left by the cap, for the ledger. */
export type Evicted = readonly number[];

/**
 * Keys in the order of their first offsets, each with the watermark time until which it is held. Keys leave in offset
 * order only: when the watermark is greater than what the oldest was promised, or when more than the cap are held.
 * So what is held at n is exactly what came from offset {@link firstOffset} on, and can be read back from the lake.
 */
export class HeldKeys {
  /** Newest offset of each key that is held: a key may be held twice, and is held until its newest entry leaves. */
  readonly #keys = new Map<string, number>();
  #queue: string[] = [];
  #offsets: number[] = [];
  /** Watermark after the key's offset, plus the horizon then in force; NaN before the first watermark. */
  #until: number[] = [];
  #horizons: number[] = [];
  #front = 0;

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  get size(): number {
    return this.#queue.length - this.#front;
  }

  /** Offset of the oldest key that is held; null where none is. */
  firstOffset(): number | null {
    return this.#offsets[this.#front] ?? null;
  }

  /** Holds a key (again). `watermarkUs` is the one after its offset; null: the horizon begins with the first. */
  add(key: string, offset: number, watermarkUs: number | null, horizonUs: number): void {
    this.#keys.set(key, offset);
    this.#queue.push(key);
    this.#offsets.push(offset);
    this.#until.push(watermarkUs === null ? Number.NaN : watermarkUs + horizonUs);
    if (watermarkUs === null) this.#horizons.push(horizonUs);
  }

  /** Gives the keys that came before the first watermark their promise. */
  anchor(firstWatermarkUs: number): void {
    this.#horizons.forEach((horizonUs, index) => {
      this.#until[this.#front + index] = firstWatermarkUs + horizonUs;
    });
    this.#horizons = [];
  }

  /** Lets go of the oldest keys whose promise the watermark has passed. */
  expire(watermarkUs: number | null): void {
    if (watermarkUs === null) return;
    while (watermarkUs > (this.#until[this.#front] ?? Number.POSITIVE_INFINITY)) this.#leave();
  }

  /** Lets go of the oldest keys beyond `maxKeys`; returns their offsets. */
  evictBeyond(maxKeys: number): Evicted {
    if (this.size <= maxKeys) return [];
    const evicted: number[] = [];
    while (this.size > maxKeys) {
      evicted.push(this.#offsets[this.#front] ?? 0);
      if (Number.isNaN(this.#until[this.#front])) this.#horizons.shift();
      this.#leave();
    }
    return evicted;
  }

  #leave(): void {
    const key = this.#queue[this.#front] ?? "";
    if (this.#keys.get(key) === this.#offsets[this.#front]) this.#keys.delete(key);
    this.#queue[this.#front] = ""; // lets the text go before the array is cut
    this.#front += 1;
    // Cut when half is empty: amortised, one move a key.
    if (this.#front < 1_024 || this.#front * 2 < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#front);
    this.#offsets = this.#offsets.slice(this.#front);
    this.#until = this.#until.slice(this.#front);
    this.#front = 0;
  }
}
