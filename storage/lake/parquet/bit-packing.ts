/**
 * Packs `count` unsigned integers of `width` bits, lowest bits first, into 32-bit words from `target[0]` on; the words
 * must be zero. Values may have up to 53 bits.
 */
export function packBits(
  values: ArrayLike<number>,
  from: number,
  count: number,
  width: number,
  target: Uint32Array,
): void {
  let position = 0;
  for (let index = from; index < from + count; index += 1) {
    const value = values[index] ?? 0;
    if (width <= 32) putBits(target, position, value >>> 0, width);
    else {
      putBits(target, position, value >>> 0, 32);
      putBits(target, position + 32, Math.floor(value / 4294967296), width - 32);
    }
    position += width;
  }
}

function putBits(target: Uint32Array, position: number, value: number, width: number): void {
  const word = position >>> 5;
  const shift = position & 31;
  target[word] = (target[word] ?? 0) | (value << shift);
  if (shift + width > 32) target[word + 1] = value >>> (32 - shift);
}

/** Bits needed for an unsigned integer below 2^53; 0 for 0. */
export function bitWidth(value: number): number {
  if (value <= 0xffffffff) return 32 - Math.clz32(value);
  return 64 - Math.clz32(Math.floor(value / 4294967296));
}

/** The bytes of packed words, little-endian as Parquet wants them on every platform. */
export function bytesOfWords(words: Uint32Array, byteCount: number): Uint8Array {
  if (IS_LITTLE_ENDIAN) return new Uint8Array(words.buffer, words.byteOffset, byteCount);
  const view = new DataView(new ArrayBuffer(words.length * 4));
  words.forEach((word, index) => view.setUint32(index * 4, word, true));
  return new Uint8Array(view.buffer, 0, byteCount);
}

const IS_LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
