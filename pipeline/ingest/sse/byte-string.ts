import { isAscii } from "node:buffer";

/*
 * The parser decodes UTF-8 and would put U+FFFD where bytes are invalid, so what was received could not be kept. It is
 * therefore given every byte as the character of that number (U+0000 to U+00FF): SSE's syntax is ASCII, so it frames the
 * same, and its text turns back into the exact bytes. Its own handling of a byte order mark knows this form.
 */

/** UTF-8 text whose characters stand for the bytes of `bytes`, one each. */
export function toByteText(bytes: Uint8Array): Uint8Array {
  if (isAscii(bytes)) return bytes;
  return Buffer.from(asBuffer(bytes).toString("latin1"), "utf8");
}

/** The bytes that a parsed text stands for. */
export function bytesOf(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

/** The text that a parsed text stands for, read as UTF-8; for ids and event types, where text is meant. */
export function textOf(text: string): string {
  return /[\x80-\xff]/.test(text) ? bytesOf(text).toString("utf8") : text;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
