import type { FrameLimits, ReceivedFrame } from "../../source-contract.ts";
import { ItemCollector } from "./item.ts";

/** Cuts a recording into records. Whatever it is given becomes records: a bad one is kept, for the pipeline to set aside. */
export type Splitter = {
  readonly push: (chunk: Uint8Array) => readonly ReceivedFrame[];
  /** What the end of the file completes. */
  readonly end: () => readonly ReceivedFrame[];
};

/** Where a recording is resumed: behind so many records, of which lines take so many bytes. */
export type FilePosition = { readonly records: number; readonly bytes: number };

const LF = 10;
const QUOTE = 34;
const BACKSLASH = 92;

/** One record a line; blank lines are none. The position counts bytes, so that a long file is resumed without reading it again. */
export function createLineSplitter(limits: FrameLimits, from: FilePosition): Splitter {
  const item = new ItemCollector(limits);
  let { records, bytes } = from;
  const take = (frames: ReceivedFrame[]): void => {
    const frame = item.take(JSON.stringify({ records: records + 1, bytes } satisfies FilePosition), true);
    if (frame === null) return;
    records += 1;
    frames.push(frame);
  };
  return {
    push: (chunk) => {
      const frames: ReceivedFrame[] = [];
      let start = 0;
      for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
        item.add(chunk.subarray(start, end));
        bytes += end + 1 - start;
        start = end + 1;
        take(frames);
      }
      item.add(chunk.subarray(start));
      bytes += chunk.length - start;
      return frames;
    },
    end: () => {
      const frames: ReceivedFrame[] = [];
      take(frames);
      return frames;
    },
  };
}

/**
 * One record per JSON value: the elements of an array, or values one behind the other. Looks at nesting and strings only.
 * The first `from.records` are passed over.
 */
export function createValueSplitter(limits: FrameLimits, from: FilePosition): Splitter {
  const splitter = new ValueSplitter(limits, from.records);
  return { push: (chunk) => splitter.push(chunk), end: () => splitter.end() };
}

class ValueSplitter {
  readonly #item: ItemCollector;
  readonly #skip: number;
  #records = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isInArray: boolean | null = null;

  constructor(limits: FrameLimits, skip: number) {
    this.#item = new ItemCollector(limits);
    this.#skip = skip;
  }

  push(chunk: Uint8Array): readonly ReceivedFrame[] {
    const frames: ReceivedFrame[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#isInString) {
        this.#readString(byte);
        if (this.#isInString || this.#depth > 0) continue;
        this.#endItem(chunk.subarray(start, at + 1), frames);
        start = at + 1;
      } else if (this.#isBetween(byte)) {
        this.#endItem(chunk.subarray(start, at), frames);
        start = at + 1;
      } else if (this.#closesItem(byte)) {
        this.#endItem(chunk.subarray(start, at + 1), frames);
        start = at + 1;
      }
    }
    this.#item.add(chunk.subarray(start));
    return frames;
  }

  end(): readonly ReceivedFrame[] {
    const frames: ReceivedFrame[] = [];
    this.#endItem(new Uint8Array(), frames);
    return frames;
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
  }

  /** White space, and in an array its brackets and commas, outside every value. */
  #isBetween(byte: number): boolean {
    if (this.#depth > 0) return false;
    if (byte === 32 || byte === 9 || byte === LF || byte === 13) return true;
    if (this.#isInArray === null) {
      this.#isInArray = byte === 0x5b;
      return this.#isInArray;
    }
    return this.#isInArray && (byte === 0x2c || byte === 0x5d);
  }

  /** Follows nesting; true where a bracket closes the outermost value. */
  #closesItem(byte: number): boolean {
    if (byte === QUOTE) this.#isInString = true;
    else if (byte === 0x7b || byte === 0x5b) this.#depth += 1;
    else if (byte === 0x7d || byte === 0x5d) {
      this.#depth = Math.max(0, this.#depth - 1);
      return this.#depth === 0;
    }
    return false;
  }

  #endItem(rest: Uint8Array, frames: ReceivedFrame[]): void {
    this.#item.add(rest);
    if (this.#item.length === 0) return;
    const frame = this.#item.take(
      JSON.stringify({ records: this.#records + 1, bytes: 0 } satisfies FilePosition),
      false,
    );
    if (frame === null) return;
    this.#records += 1;
    if (this.#records > this.#skip) frames.push(frame);
  }
}
