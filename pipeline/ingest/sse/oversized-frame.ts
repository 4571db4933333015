import { createHash } from "node:crypto";
import type { OversizedDetail } from "#storage/model/record.ts";

const LF = 10;
const CR = 13;
const COLON = 58;
const SPACE = 32;
/** `event` and `id` lines of an oversized frame above this are read away like its data: no feed has any near it. */
const SMALL_FIELD_BYTES = 65_536;

/** What is kept of an oversized frame: its small fields as bytes, the first part of its data, length and hash of all of it. */
export type OversizedFrame = {
  readonly event: Uint8Array | null;
  readonly id: Uint8Array | null;
  readonly hasData: boolean;
  readonly data: Uint8Array;
  readonly detail: OversizedDetail;
};

/**
 * Reads an oversized frame away, byte range by byte range, in constant memory. Knows fields only as far as needed to
 * hash the data: lines of `data` joined by LF, one space behind the colon left out (HTML standard, 9.2.6).
 */
export class OversizedCollector {
  readonly #keepBytes: number;
  readonly #hash = createHash("sha256");
  readonly #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #lengthBytes = 0;
  #dataLines = 0;
  #event: Uint8Array | null = null;
  #id: Uint8Array | null = null;

  #field = "";
  #isInValue = false;
  #mayBeSpace = false;
  #isFirstLine: boolean;
  #small: Uint8Array[] = [];
  #smallBytes = 0;

  /** `isStreamStart`: the frame is the first of its stream, so that a byte order mark may stand before it. */
  constructor(keepBytes: number, isStreamStart: boolean) {
    this.#keepBytes = keepBytes;
    this.#isFirstLine = isStreamStart;
  }

  /** Takes more bytes of the frame, cut anywhere. */
  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) at = this.#isInValue ? this.#readValue(bytes, at) : this.#readName(bytes, at);
  }

  /** The frame as far as it came. */
  finish(): OversizedFrame {
    this.#endLine();
    return {
      event: this.#event,
      id: this.#id,
      hasData: this.#dataLines > 0,
      data: Buffer.concat(this.#kept),
      detail: { lengthBytes: this.#lengthBytes, sha256: this.#hash.digest("hex") },
    };
  }

  #readName(bytes: Uint8Array, from: number): number {
    let at = from;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === LF || byte === CR) {
        // A name without a colon is a field with an empty value; an empty line is no field.
        if (this.#name() === "data") this.#beginData();
        this.#endLine();
        return at + 1;
      }
      if (byte === COLON) return this.#beginValue(at + 1);
      // No known field name (with a byte order mark) is longer than 16 bytes; the rest cannot match any more.
      if (this.#field.length < 16) this.#field += String.fromCharCode(byte);
    }
    return at;
  }

  #name(): string {
    return this.#isFirstLine ? this.#field.replace(/^\xef\xbb\xbf/, "") : this.#field;
  }

  #beginValue(at: number): number {
    this.#isInValue = true;
    this.#mayBeSpace = true;
    if (this.#name() === "data") this.#beginData();
    return at;
  }

  #beginData(): void {
    if (this.#dataLines > 0) this.#addData(Uint8Array.of(LF));
    this.#dataLines += 1;
  }

  #readValue(bytes: Uint8Array, from: number): number {
    let start = from;
    if (this.#mayBeSpace && bytes[start] === SPACE) start += 1;
    this.#mayBeSpace = false;
    const lf = bytes.indexOf(LF, start);
    const line = lf === -1 ? bytes.subarray(start) : bytes.subarray(start, lf);
    const cr = line.indexOf(CR);
    const value = cr === -1 ? line : line.subarray(0, cr);
    if (this.#name() === "data") this.#addData(value);
    else this.#addSmall(value);
    if (cr === -1 && lf === -1) return bytes.length;
    this.#endLine();
    return cr === -1 ? lf + 1 : start + cr + 1;
  }

  #addData(value: Uint8Array): void {
    this.#hash.update(value);
    this.#lengthBytes += value.length;
    const room = this.#keepBytes - this.#keptBytes;
    if (room <= 0) return;
    const part = value.slice(0, room);
    this.#kept.push(part);
    this.#keptBytes += part.length;
  }

  #addSmall(value: Uint8Array): void {
    this.#smallBytes += value.length;
    if (this.#smallBytes <= SMALL_FIELD_BYTES) this.#small.push(value.slice());
  }

  #endLine(): void {
    const name = this.#name();
    if (this.#smallBytes <= SMALL_FIELD_BYTES) {
      if (name === "event") this.#event = Buffer.concat(this.#small);
      // An id with U+0000 is ignored (HTML standard, 9.2.6).
      if (name === "id" && !this.#small.some((part) => part.includes(0)))
        this.#id = Buffer.concat(this.#small);
    }
    if (this.#field !== "" || this.#isInValue) this.#isFirstLine = false;
    this.#field = "";
    this.#isInValue = false;
    this.#small = [];
    this.#smallBytes = 0;
  }
}
