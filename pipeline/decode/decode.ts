import { Buffer, isUtf8 } from "node:buffer";
import {
  type Decoded,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  kindOfJson,
  type StoredText,
} from "../protocol/change.ts";
import { mayHoldOddEscape, replaceEscapes } from "./escapes.ts";

/** Deeper values are dead letters: readers behind us (JSON.stringify, DuckDB's json_structure) recurse per level. */
export const MAX_DEPTH = 100;

/** Longer texts are not read: V8's longest string has 2^29 − 24 units, and reading needs several copies. */
export const MAX_READ_BYTES = 128 * 1_048_576;

const BYTE_ORDER_MARK = "\uFEFF";
const lenient = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/**
 * The one decoder: bytes → stored text and JSON object, or why not. Never throws.
 *
 * Stored text is well-formed Unicode that DuckDB's JSON functions read. It differs from the bytes, which then stand
 * beside it, where they hold invalid UTF-8 (→ U+FFFD), a byte order mark (dropped), a lone surrogate escape
 * (→ `\ufffd`) or, in text that is no JSON, a raw NUL (→ U+2400). In values, but not in the stored text, an escaped NUL
 * reads as U+2400, so that every typed column survives SQLite. Of repeated keys the last wins.
 */
export function decode(data: Uint8Array): Decoded {
  if (data.byteLength > MAX_READ_BYTES) {
    return {
      readable: false,
      failure: "too-large-to-read",
      message: `${data.byteLength} bytes, at most ${MAX_READ_BYTES} are read`,
      stored: { text: "", rawBytes: data },
    };
  }
  const isValidUtf8 = isUtf8(data);
  const received = isValidUtf8
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8")
    : lenient.decode(data);
  let text = received;
  if (text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
  const isOdd = mayHoldOddEscape(text);
  if (isOdd) text = replaceEscapes(text, { nul: false });
  const isChanged = !isValidUtf8 || text !== received;
  const stored: StoredText = isChanged ? { text, rawBytes: data } : { text: data, rawBytes: null };
  return read(text, isOdd ? replaceEscapes(text, { nul: true }) : text, stored, data);
}

function read(text: string, readText: string, stored: StoredText, data: Uint8Array): Decoded {
  let value: JsonValue;
  try {
    value = parseJson(readText);
  } catch (error) {
    return {
      readable: false,
      failure: "not-json",
      message: error instanceof Error ? error.message : "not JSON",
      stored: withoutNul(text, stored, data),
    };
  }
  if (!isJsonObject(value)) {
    return { readable: false, failure: "not-an-object", message: `a JSON ${kindOfJson(value)}`, stored };
  }
  if (mayBeDeeperThan(readText, MAX_DEPTH) && isDeeperThan(value, MAX_DEPTH)) {
    const message = `nested deeper than ${MAX_DEPTH} levels`;
    return { readable: false, failure: "nested-too-deep", message, stored };
  }
  return { readable: true, value, stored };
}

function parseJson(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

function withoutNul(text: string, stored: StoredText, data: Uint8Array): StoredText {
  return text.includes("\0") ? { text: text.replaceAll("\0", "\u2400"), rawBytes: data } : stored;
}

/**
 * True where a text has more opening brackets than levels. Real events have a dozen, and looking for them costs a tenth of
 * walking the value, whose objects come in too many shapes for V8 to know.
 */
function mayBeDeeperThan(text: string, levels: number): boolean {
  let left = levels;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      left -= 1;
      if (left < 0) return true;
    }
  }
  return false;
}

/** Recurses at most `levels` times, so it is safe on any value. */
function isDeeperThan(value: JsonObject | readonly JsonValue[], levels: number): boolean {
  if (levels === 0) return true;
  if (isJsonArray(value)) return value.some((child) => isNested(child) && isDeeperThan(child, levels - 1));
  // for-in makes no array, and an object that JSON.parse made inherits no keys that could be listed.
  for (const key in value) {
    const child = value[key];
    if (isNested(child) && isDeeperThan(child, levels - 1)) return true;
  }
  return false;
}

function isNested(value: JsonValue | undefined): value is JsonObject | readonly JsonValue[] {
  return typeof value === "object" && value !== null;
}
