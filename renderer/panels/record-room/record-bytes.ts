import type { RecordView } from "#pipeline/protocol/query-messages.ts";

/** The bytes of a record as far as they are here, and how many there are. */
export type RecordBytes = { readonly head: Uint8Array<ArrayBuffer>; readonly sizeBytes: number };

/** Bytes that the hex view paints: 1,024 lines. */
export const SHOWN_BYTES = 16_384;
const LINE_BYTES = 16;

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16);
  return bytes;
}

/** The original bytes: as stored where they differ from the text, else the text in UTF-8; null where no table keeps them. */
export function bytesOf({ bytes, raw }: Pick<RecordView, "bytes" | "raw">): RecordBytes | null {
  if (bytes !== null) return { head: fromHex(bytes.headHex), sizeBytes: bytes.sizeBytes };
  if (raw === null) return null;
  const all = new TextEncoder().encode(raw);
  return { head: all.slice(0, SHOWN_BYTES), sizeBytes: all.length };
}

/** One line of a hex view: place of its first byte, bytes in hex, and as text where they are printable ASCII. */
export type HexLine = { readonly at: number; readonly hex: readonly string[]; readonly text: string };

/** The bytes in lines of sixteen. */
export function hexLines(bytes: Uint8Array): readonly HexLine[] {
  const lines: HexLine[] = [];
  for (let at = 0; at < bytes.length; at += LINE_BYTES) {
    const part = [...bytes.subarray(at, at + LINE_BYTES)];
    lines.push({
      at,
      hex: part.map((byte) => byte.toString(16).padStart(2, "0")),
      text: part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join(""),
    });
  }
  return lines;
}

/** How many bytes follow a lead byte, and the smallest code point they may make; null: no character begins so. */
function sequenceOf(lead: number): { readonly more: number; readonly least: number } | null {
  if (lead < 0x80) return { more: 0, least: 0 };
  if (lead >= 0xc2 && lead < 0xe0) return { more: 1, least: 0x80 };
  if (lead >= 0xe0 && lead < 0xf0) return { more: 2, least: 0x8_00 };
  if (lead >= 0xf0 && lead < 0xf5) return { more: 3, least: 0x1_00_00 };
  return null;
}

/** Code point of the `more` + 1 bytes from `at` on; null where one that must follow does not. */
function codeAt(bytes: Uint8Array, at: number, more: number): number | null {
  const lead = bytes[at] ?? 0;
  let code = more === 0 ? lead : lead & (0x3f >> more);
  for (let next = 1; next <= more; next += 1) {
    const byte = bytes[at + next] ?? 0;
    if ((byte & 0xc0) !== 0x80) return null;
    code = code * 64 + (byte & 0x3f);
  }
  return code;
}

/** A code point that a text may hold: surrogates are halves of a pair and stand alone nowhere. */
function isScalar(code: number): boolean {
  return code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
}

/** Index of the first byte that is no UTF-8, or -1. A character that the end cuts is none where `isWhole`. */
export function firstInvalidUtf8(bytes: Uint8Array, isWhole: boolean): number {
  for (let at = 0; at < bytes.length;) {
    const sequence = sequenceOf(bytes[at] ?? 0);
    if (sequence === null) return at;
    const { more, least } = sequence;
    if (at + more >= bytes.length && more > 0) return isWhole ? at : -1;
    const code = codeAt(bytes, at, more);
    if (code === null || code < least || !isScalar(code)) return at;
    at += more + 1;
  }
  return -1;
}
