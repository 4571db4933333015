import { mix } from "../generate/random.ts";

const MAX_PIECE_BYTES = 900;
const SALT_PIECE = 70;
/** How far a cut looks ahead for a character to fall into. */
const LOOK_AHEAD_BYTES = 64;
const LF = 0x0a;

/** Cuts bytes where readers have broken: inside characters and, at the end, between the two line ends that close a frame. */
export function* oddPieces(bytes: Buffer, seed: number): Generator<Buffer> {
  let from = 0;
  for (let piece = 0; from < bytes.length; piece += 1) {
    const wanted = from + 1 + (mix(seed, piece, SALT_PIECE + (bytes.length % 97)) % MAX_PIECE_BYTES);
    const to = wanted >= bytes.length - 1 ? lastCut(bytes, from) : insideCharacter(bytes, wanted);
    yield bytes.subarray(from, to);
    from = to;
  }
}

/** In front of the very last line feed, or the end where that is all there is. */
function lastCut(bytes: Buffer, from: number): number {
  const beforeLast = bytes.length - 1;
  return bytes[beforeLast] === LF && from < beforeLast ? beforeLast : bytes.length;
}

function insideCharacter(bytes: Buffer, wanted: number): number {
  const limit = Math.min(bytes.length - 1, wanted + LOOK_AHEAD_BYTES);
  for (let at = wanted; at < limit; at += 1) {
    // A byte 10xxxxxx continues a character.
    if (((bytes[at] ?? 0) & 0xc0) === 0x80) return at;
  }
  return wanted;
}
