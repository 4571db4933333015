/** Seed of this run's random moments: HIGHWATER_SEED repeats one. Put it into the test's title, so that it is printed. */
export const SEED = Number(process.env["HIGHWATER_SEED"] ?? Date.now() % 1_000_000);

/** True where the full counts of the proof run (`npm run soak`); CI runs a fifth of them. */
export const IS_FULL = process.env["HIGHWATER_FULL"] === "1";

/** Random numbers from a seed (mulberry32): the same seed, the same moments. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
