import type { HashLanes } from "./word-hash.ts";

const MASK_64 = (1n << 64n) - 1n;
/** Below this one more lane of 32 bits keeps a sum exact. */
const FOLD_ABOVE = 2 ** 52;

/** Sum of 64-bit hashes mod 2^64. Adding lanes makes no bigint: one a record and hop was a tenth of deciding a record. */
export class LaneSum {
  #folded = 0n;
  #high = 0;
  #low = 0;

  /** Adds a hash given as its two lanes. */
  add({ high, low }: HashLanes): void {
    this.#high += high;
    this.#low += low;
    if (this.#high > FOLD_ABOVE || this.#low > FOLD_ABOVE) this.addHash(0n);
  }

  /** Adds a hash, or a sum of hashes. */
  addHash(hash: bigint): void {
    this.#folded = (this.#folded + hash + (BigInt(this.#high) << 32n) + BigInt(this.#low)) & MASK_64;
    this.#high = 0;
    this.#low = 0;
  }

  /** The sum so far, unsigned. */
  get value(): bigint {
    this.addHash(0n);
    return this.#folded;
  }
}
