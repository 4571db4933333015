import { finalMix, step0, step1 } from "./word-hash.ts";

/** Texts up to this many UTF-16 units are hashed from their characters; a call into the encoder would cost more. */
const SHORT_TEXT = 48;
const FIRST_SCRATCH_BYTES = 16_384;
/** A single huge cell must not leave its buffer behind for good. */
const MAX_KEPT_SCRATCH_BYTES = 4_194_304;
const IS_LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Hashes one cell at a time; the result is in `lane0` and `lane1` (unsigned 32 bits each) until the next call. */
export class CellHasher {
  lane0 = 0;
  lane1 = 0;
  private scratch = Buffer.alloc(FIRST_SCRATCH_BYTES);
  private words = new Uint32Array(this.scratch.buffer, this.scratch.byteOffset, FIRST_SCRATCH_BYTES / 4);

  /** A whole number as 8 bytes, two's complement, low word first. */
  number(seed0: number, seed1: number, value: number): void {
    // ToInt32 is modulo 2^32 also for negative numbers, which is what two's complement needs.
    const low = value | 0;
    const high = Math.floor(value / 4294967296) | 0;
    this.lane0 = finalMix(step0(step0(seed0, low), high) ^ 8);
    this.lane1 = finalMix(step1(step1(seed1, low), high) ^ 8);
  }

  /** A boolean as one word. */
  boolean(seed0: number, seed1: number, value: boolean): void {
    this.lane0 = finalMix(step0(seed0, value ? 1 : 0) ^ 1);
    this.lane1 = finalMix(step1(seed1, value ? 1 : 0) ^ 1);
  }

  /** Text as its UTF-8 bytes. */
  text(seed0: number, seed1: number, text: string): void {
    if (text.length <= SHORT_TEXT && this.shortAscii(seed0, seed1, text)) return;
    this.reserve(text.length * 3);
    const byteLength = this.scratch.write(text, 0, "utf8");
    this.scratchBytes(seed0, seed1, byteLength);
  }

  /** Bytes, in words of 4, low byte first, the last one filled with zeros; the length goes in at the end. */
  bytes(seed0: number, seed1: number, bytes: Uint8Array): void {
    this.reserve(bytes.byteLength);
    this.scratch.set(bytes);
    this.scratchBytes(seed0, seed1, bytes.byteLength);
  }

  /** Bytes given as their hexadecimal digits. */
  hex(seed0: number, seed1: number, digits: string): void {
    this.reserve(digits.length / 2);
    this.scratchBytes(seed0, seed1, this.scratch.write(digits, 0, "hex"));
  }

  private shortAscii(seed0: number, seed1: number, text: string): boolean {
    const { length } = text;
    let lane0 = seed0;
    let lane1 = seed1;
    let word = 0;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code >= 128) return false;
      word |= code << ((index & 3) * 8);
      if ((index & 3) === 3) {
        lane0 = step0(lane0, word);
        lane1 = step1(lane1, word);
        word = 0;
      }
    }
    if ((length & 3) !== 0) {
      lane0 = step0(lane0, word);
      lane1 = step1(lane1, word);
    }
    this.lane0 = finalMix(lane0 ^ length);
    this.lane1 = finalMix(lane1 ^ length);
    return true;
  }

  private scratchBytes(seed0: number, seed1: number, byteLength: number): void {
    const wordCount = (byteLength + 3) >>> 2;
    // At most three bytes: a call of fill costs more than all of them.
    for (let index = byteLength; index < wordCount * 4; index += 1) this.scratch[index] = 0;
    let lane0 = seed0;
    let lane1 = seed1;
    if (!IS_LITTLE_ENDIAN) this.scratch.subarray(0, wordCount * 4).swap32();
    const { words } = this;
    for (let index = 0; index < wordCount; index += 1) {
      const word = words[index] ?? 0;
      lane0 = step0(lane0, word);
      lane1 = step1(lane1, word);
    }
    this.lane0 = finalMix(lane0 ^ byteLength);
    this.lane1 = finalMix(lane1 ^ byteLength);
    if (this.scratch.byteLength > MAX_KEPT_SCRATCH_BYTES) this.resize(FIRST_SCRATCH_BYTES);
  }

  private reserve(bytes: number): void {
    if (bytes + 4 > this.scratch.byteLength) this.resize(2 ** Math.ceil(Math.log2(bytes + 4)));
  }

  private resize(bytes: number): void {
    const memory = new ArrayBuffer(bytes);
    this.scratch = Buffer.from(memory);
    this.words = new Uint32Array(memory);
  }
}
