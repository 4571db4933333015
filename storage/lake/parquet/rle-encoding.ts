import { bytesOfWords, packBits } from "./bit-packing.ts";
import type { ByteWriter } from "./byte-writer.ts";

/**
 * Writes unsigned integers of `width` bits (1 to 32) in Parquet's RLE / bit-packing hybrid: one run when all are equal,
 * else one bit-packed run. Finer runs are not worth it: zstd takes what is left.
 */
export function writeHybrid(
  out: ByteWriter,
  values: Uint32Array | Uint8Array,
  from: number,
  to: number,
  width: number,
): void {
  const count = to - from;
  if (count === 0) return;
  const first = values[from] ?? 0;
  if (isConstant(values, from, to, first)) {
    out.varint(count * 2);
    for (let shift = 0; shift < width; shift += 8) out.byte((first >>> shift) & 255);
    return;
  }
  const groups = Math.ceil(count / 8);
  const words = new Uint32Array(Math.ceil((groups * width) / 4) + 1);
  packBits(values, from, count, width, words);
  out.varint(groups * 2 + 1);
  out.bytes(bytesOfWords(words, groups * width));
}

function isConstant(values: Uint32Array | Uint8Array, from: number, to: number, first: number): boolean {
  for (let index = from + 1; index < to; index += 1) if (values[index] !== first) return false;
  return true;
}
