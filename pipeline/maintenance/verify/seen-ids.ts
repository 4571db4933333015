import { hash } from "node:crypto";

/**
 * Ids that were ever seen, by 64 bits of their sha256 in a table of 8 bytes a slot, at most half full: 16 MB for a
 * million. Two ids that share 64 bits would be taken for one; with a million ids that has odds of one in 37 million.
 */
export class SeenIds {
  #slots = new BigUint64Array(1_024);
  #count = 0;

  has(id: string): boolean {
    const key = keyOf(id);
    return this.#slots[this.#find(key)] === key;
  }

  add(id: string): void {
    const key = keyOf(id);
    const slot = this.#find(key);
    if (this.#slots[slot] === key) return;
    this.#slots[slot] = key;
    this.#count += 1;
    if (this.#count * 2 > this.#slots.length) this.#grow();
  }

  #find(key: bigint): number {
    const mask = this.#slots.length - 1;
    let slot = Number(key & BigInt(mask));
    while (this.#slots[slot] !== 0n && this.#slots[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new BigUint64Array(old.length * 2);
    for (const key of old) {
      if (key !== 0n) this.#slots[this.#find(key)] = key;
    }
  }
}

/** Never 0, which marks an empty slot. */
function keyOf(id: string): bigint {
  const key = hash("sha256", id, "buffer").readBigUInt64LE(0);
  return key === 0n ? 1n : key;
}
