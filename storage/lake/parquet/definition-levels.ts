import { ByteWriter } from "./byte-writer.ts";
import { writeHybrid } from "./rle-encoding.ts";

/**
 * Writes the definition levels of the rows `from` ≤ row < `to` of a nullable column as a version 1 page has them: byte
 * length, then 1 bit per row in the RLE hybrid (1 = has a value). `present` null: every row has a value.
 */
export function writeLevels(out: ByteWriter, present: Uint8Array | null, from: number, to: number): void {
  const levels = new ByteWriter(64);
  if (present !== null) writeHybrid(levels, present, from, to, 1);
  else if (to > from) {
    levels.varint((to - from) * 2);
    levels.byte(1);
  }
  const bytes = levels.finish();
  for (let shift = 0; shift < 32; shift += 8) out.byte((bytes.length >>> shift) & 255);
  out.bytes(bytes);
}
