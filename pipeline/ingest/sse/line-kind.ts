const LF = 10;
const CR = 13;
const COLON = 58;
const BOM = [0xef, 0xbb, 0xbf] as const;
/** Enough of a line to tell its field: a byte order mark (first line only), `data`, and what follows it. */
const HEAD_BYTES = 8;

/** What a line is to the framer: `data` fills the frame, `field` is any other field, `blank` ends the frame. */
export type LineKind = "data" | "field" | "comment" | "blank";

/** End of a line in a chunk: `at` is the first byte behind its terminator. */
export type LineEnd = { readonly at: number; readonly kind: LineKind };

/**
 * Finds line ends in a byte stream (LF, CR, CRLF, also split over chunks) and tells the kind of each line.
 * HTML standard, 9.2.5: a stream is lines; a line without text ends the frame; one leading byte order mark is no text.
 */
export class LineScanner {
  readonly #head = new Uint8Array(HEAD_BYTES);
  #length = 0;
  #isFirstLine = true;
  /** A CR was the last byte seen; an LF right behind it belongs to the same terminator. */
  #isAfterCr = false;
  #chunk: Buffer | null = null;
  #nextLf = -1;
  #nextCr = -1;

  /** The kind of the line being read, as far as it came; blank when nothing of it did. */
  get partial(): LineKind {
    return this.#kind();
  }

  /** The next line end at or behind `from`, or null when the chunk ends inside a line. */
  next(chunk: Buffer, from: number): LineEnd | null {
    let start = from;
    if (this.#isAfterCr && start < chunk.length) {
      this.#isAfterCr = false;
      if (chunk[start] === LF) start += 1;
    }
    const end = this.#find(chunk, start);
    this.#take(chunk, start, end === -1 ? chunk.length : end);
    if (end === -1) {
      this.#chunk = null;
      return null;
    }
    this.#isAfterCr = chunk[end] === CR;
    const kind = this.#kind();
    this.#length = 0;
    this.#isFirstLine = false;
    // An LF that is already here is taken along, so that a frame ends behind its whole terminator.
    if (this.#isAfterCr && chunk[end + 1] === LF) {
      this.#isAfterCr = false;
      return { at: end + 2, kind };
    }
    return { at: end + 1, kind };
  }

  /** A Buffer is searched by memchr, a plain Uint8Array byte by byte. Both searches are remembered per chunk: a chunk full of one terminator must not be searched again for the other. */
  #find(chunk: Buffer, from: number): number {
    const isNew = this.#chunk !== chunk;
    this.#chunk = chunk;
    if (isNew || (this.#nextLf !== -1 && this.#nextLf < from)) this.#nextLf = chunk.indexOf(LF, from);
    if (isNew || (this.#nextCr !== -1 && this.#nextCr < from)) this.#nextCr = chunk.indexOf(CR, from);
    if (this.#nextCr === -1) return this.#nextLf;
    return this.#nextLf === -1 ? this.#nextCr : Math.min(this.#nextLf, this.#nextCr);
  }

  #take(chunk: Uint8Array, start: number, end: number): void {
    for (let i = start; i < end && this.#length + i - start < HEAD_BYTES; i += 1) {
      this.#head[this.#length + i - start] = chunk[i] ?? 0;
    }
    this.#length += end - start;
  }

  #kind(): LineKind {
    const skip =
      this.#isFirstLine && this.#length >= 3 && BOM.every((byte, i) => this.#head[i] === byte) ? 3 : 0;
    const length = this.#length - skip;
    if (length === 0) return "blank";
    if (this.#head[skip] === COLON) return "comment";
    const isData =
      length >= 4 && startsWithData(this.#head, skip) && (length === 4 || this.#head[skip + 4] === COLON);
    return isData ? "data" : "field";
  }
}

function startsWithData(head: Uint8Array, at: number): boolean {
  return head[at] === 100 && head[at + 1] === 97 && head[at + 2] === 116 && head[at + 3] === 97;
}
