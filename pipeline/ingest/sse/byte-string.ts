/*
 * A parser of text would put U+FFFD where bytes are no UTF-8, so what was received could not be kept. It is therefore given
 * every byte as the character of that number (U+0000 to U+00FF): SSE's syntax is ASCII, so it frames the same, and its text
 * turns back into the exact bytes. eventsource-parser takes a byte order mark in this form, too.
 */

/** Text whose characters stand for the bytes of `bytes`, one each. */
export function byteText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** The bytes that a parsed text stands for. */
export function bytesOf(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

/** The text that a parsed text stands for, read as UTF-8; for ids and event types, where text is meant. */
export function textOf(text: string): string {
  return /[\x80-\xff]/.test(text) ? bytesOf(text).toString("utf8") : text;
}
