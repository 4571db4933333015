import { closeSync, openSync, readSync, writeSync } from "node:fs";
import type { FeedPlan } from "#pipeline/demo-feed/generate/feed-plan.ts";
import { corpusFrames } from "./frames.ts";

const CHUNK_BYTES = 1_048_576;
const ID = Buffer.from("\nid: ");
const DATA = Buffer.from("\ndata: ");
const END = Buffer.from("\n\n");

/** What is in a corpus file. `dataBytes`: the events as NDJSON, the measure of "raw". */
export type CorpusFacts = {
  readonly records: number;
  readonly dataBytes: number;
  readonly fileBytes: number;
};

/** Writes the feed's frames as server-sent events, exactly as its server sends them. */
export function writeCorpus(path: string, plan: FeedPlan): CorpusFacts {
  const file = openSync(path, "w");
  let [records, dataBytes, fileBytes, text] = [0, 0, 0, ""];
  const flush = (): void => {
    fileBytes += writeSync(file, text);
    text = "";
  };
  try {
    for (const { id, data } of corpusFrames(plan)) {
      records += 1;
      dataBytes += Buffer.byteLength(data) + 1;
      text += `event: message\nid: ${id}\ndata: ${data}\n\n`;
      if (text.length >= CHUNK_BYTES) flush();
    }
    flush();
  } finally {
    closeSync(file);
  }
  return { records, dataBytes, fileBytes };
}

/** One record of a corpus file; the bytes are views into the chunk that was read. */
export type CorpusRecord = { readonly id: string; readonly data: Uint8Array };

/** Reads a corpus file in order, a chunk at a time, so that a large one needs no memory. */
export function* readCorpus(path: string): Generator<CorpusRecord> {
  const file = openSync(path, "r");
  try {
    let rest = Buffer.alloc(0);
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      const length = readSync(file, chunk, 0, CHUNK_BYTES, null);
      if (length === 0) break;
      const bytes = Buffer.concat([rest, chunk.subarray(0, length)]);
      let from = 0;
      for (let end = bytes.indexOf(END, from); end >= 0; end = bytes.indexOf(END, from)) {
        yield recordOf(bytes, from, end);
        from = end + END.length;
      }
      rest = bytes.subarray(from);
    }
    if (rest.length > 0) throw new Error(`the corpus ends inside a frame: ${path}`);
  } finally {
    closeSync(file);
  }
}

function recordOf(bytes: Buffer, from: number, end: number): CorpusRecord {
  const id = bytes.indexOf(ID, from);
  const data = bytes.indexOf(DATA, id);
  return {
    id: bytes.toString("latin1", id + ID.length, data),
    data: bytes.subarray(data + DATA.length, end),
  };
}
