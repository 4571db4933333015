import { bitWidth, bytesOfWords, packBits } from "./bit-packing.ts";
import type { ByteWriter } from "./byte-writer.ts";

// Parquet's own writers use these two; the format wants a multiple of 128 and of 32 (Encodings.md, DELTA_BINARY_PACKED).
const BLOCK_VALUES = 128;
const MINIBLOCKS = 4;
const MINIBLOCK_VALUES = BLOCK_VALUES / MINIBLOCKS;

/** Widest range of values (max − min) whose deltas, less the smallest delta, are still exact as numbers. */
export const DELTA_RANGE_LIMIT = 2 ** 52;

/** Writes `values` as DELTA_BINARY_PACKED. Every value is a whole number and max − min ≤ {@link DELTA_RANGE_LIMIT}. */
export function writeDelta(out: ByteWriter, values: Float64Array): void {
  out.varint(BLOCK_VALUES);
  out.varint(MINIBLOCKS);
  out.varint(values.length);
  out.zigzag(values[0] ?? 0);
  const deltas = new Float64Array(BLOCK_VALUES);
  const words = new Uint32Array(64);
  for (let start = 1; start < values.length; start += BLOCK_VALUES) {
    writeBlock(out, values, start, deltas, words);
  }
}

function writeBlock(
  out: ByteWriter,
  values: Float64Array,
  start: number,
  deltas: Float64Array,
  words: Uint32Array,
): void {
  const count = Math.min(BLOCK_VALUES, values.length - start);
  const minDelta = takeDeltas(values, start, count, deltas);
  out.zigzag(minDelta);
  const widths = [0, 0, 0, 0];
  for (let index = 0; index < count; index += 1) {
    const above = (deltas[index] ?? 0) - minDelta;
    deltas[index] = above;
    const mini = (index / MINIBLOCK_VALUES) | 0;
    widths[mini] = Math.max(widths[mini] ?? 0, bitWidth(above));
  }
  deltas.fill(0, count);
  for (const width of widths) out.byte(width);
  for (let mini = 0; mini * MINIBLOCK_VALUES < count; mini += 1) {
    const width = widths[mini] ?? 0;
    words.fill(0, 0, width);
    packBits(deltas, mini * MINIBLOCK_VALUES, width === 0 ? 0 : MINIBLOCK_VALUES, width, words);
    out.bytes(bytesOfWords(words, width * 4));
  }
}

function takeDeltas(values: Float64Array, start: number, count: number, deltas: Float64Array): number {
  let minDelta = Infinity;
  let before = values[start - 1] ?? 0;
  for (let index = 0; index < count; index += 1) {
    const value = values[start + index] ?? 0;
    const delta = value - before;
    before = value;
    deltas[index] = delta;
    if (delta < minDelta) minDelta = delta;
  }
  return minDelta;
}
