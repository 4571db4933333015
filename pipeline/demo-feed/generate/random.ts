/**
 * Pure pseudo-random numbers: everything the feed says is a function of the seed and a few whole numbers, so any event can be
 * made again at any time and nothing has to be kept. 32-bit integer arithmetic only, so every machine agrees.
 */
export function mix(seed: number, a: number, b = 0): number {
  let h = (seed ^ 0x9e37_79b9) | 0;
  h = scramble(h + Math.imul(a | 0, 0x85eb_ca6b) + Math.imul(Math.floor(a / 0x1_0000_0000) | 0, 0x27d4_eb2f));
  return scramble(h + Math.imul(b | 0, 0xc2b2_ae35));
}

/** The finaliser of MurmurHash3 (public domain): every input bit changes every output bit. Unsigned 32 bits. */
function scramble(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A share between 0 (included) and 1 (excluded). */
export function share(seed: number, a: number, b = 0): number {
  return mix(seed, a, b) / 0x1_0000_0000;
}

/** Looked up, because writing ids is an eighth of the generator's time otherwise. */
const HEX_OF_16_BITS: readonly string[] = Array.from({ length: 0x1_0000 }, (_, bits) =>
  bits.toString(16).padStart(4, "0"),
);

/** A stream of numbers that begins at one hash; one per event, thrown away with it. */
export class Random {
  #state: number;

  constructor(state: number) {
    this.#state = state;
  }

  /** Unsigned 32 bits (Weyl sequence, scrambled). */
  bits(): number {
    this.#state = (this.#state + 0x9e37_79b9) | 0;
    return scramble(this.#state);
  }

  /** At least 0, below 1. */
  share(): number {
    return this.bits() / 0x1_0000_0000;
  }

  /** A whole number from 0 to `below` − 1. */
  whole(below: number): number {
    return Math.floor(this.share() * below);
  }

  chance(probability: number): boolean {
    return this.share() < probability;
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.whole(from.length)] ?? from[0];
  }

  /** Small numbers often, up to `below` − 1 seldom: a long tail, as pages and users have it. */
  tail(below: number): number {
    return Math.floor(below ** this.share()) - 1;
  }

  hex(digits: number): string {
    let text = "";
    while (text.length < digits) {
      const bits = this.bits();
      text += (HEX_OF_16_BITS[bits >>> 16] ?? "") + (HEX_OF_16_BITS[bits & 0xffff] ?? "");
    }
    return text.length === digits ? text : text.slice(0, digits);
  }
}

/** A version 4 UUID out of four hashes. */
export function uuidFrom(random: Random): string {
  return toUuid(random.hex(32));
}

/**
 * The id of thing `n` of one run: a UUID of which one half is a bijection of `n` (so no two of a run are equal) and the
 * other depends on the start too, so that a feed started again never repeats the ids of its last run.
 */
export function runUuid(seed: number, startMs: number, n: number, salt: number): string {
  const half = new Random(mix(seed, n, salt)).hex(16);
  return toUuid(half + new Random(mix(mix(seed, startMs, salt), n, salt)).hex(16));
}

function toUuid(hex: string): string {
  const variant = "89ab".charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
