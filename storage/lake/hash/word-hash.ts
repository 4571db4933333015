/**
 * The mixing steps of the lake's hashes, on two lanes of 32 bits. They are stored in catalogs: changing one number changes
 * every stored hash. `row-hash-sql.ts` says the same in SQL. Each step is reversible in the lane and in the word, so two
 * inputs that differ in one word never collide there. Guards against mistakes and bad disks, not against forgery.
 */

// Odd constants of xxHash32 (primes 1 and 2) and the finaliser of MurmurHash3; both are in the public domain.
export const LANE_PRIMES = [0x9e3779b1, 0x85ebca77] as const;
export const LANE_SHIFTS = [15, 13] as const;
export const FINAL_PRIMES = [0x85ebca6b, 0xc2b2ae35] as const;

/** One word into lane 0. */
export function step0(lane: number, word: number): number {
  const mixed = Math.imul(lane ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** One word into lane 1. */
export function step1(lane: number, word: number): number {
  const mixed = Math.imul(lane ^ word, 0x85ebca77);
  return mixed ^ (mixed >>> 13);
}

/** Spreads every bit of a lane over all its bits. */
export function finalMix(lane: number): number {
  let mixed = lane ^ (lane >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** First value of a lane for the cells of one column. */
export function laneSeed(columnId: number, lane: 0 | 1): number {
  return finalMix(Math.imul(columnId, LANE_PRIMES[lane]) + 1 + lane);
}

/** A hash of 64 bits as two unsigned numbers of 32. */
export type HashLanes = { readonly high: number; readonly low: number };

/** Mixes two lanes that are sums into two lanes of a hash; reversible, so nothing is lost. */
export function mixLanes(lane0: number, lane1: number): HashLanes {
  const high = finalMix(lane0 ^ Math.imul(lane1, 0x9e3779b1));
  return { high, low: finalMix((lane1 + high) | 0) };
}

/** Two lanes as one unsigned 64-bit number. */
export function joinLanes(high: number, low: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}
