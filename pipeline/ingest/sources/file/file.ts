import { z } from "zod";
import type { FrameLimits, RecordingReader, RecordingSource } from "../../source-contract.ts";
import { bomLength, openRecordingBytes, type RecordingBytes } from "./recording-bytes.ts";
import { detectFormat } from "./recording-format.ts";
import { createLineSplitter, createValueSplitter, type FilePosition, type Splitter } from "./splitter.ts";
import { openSseRecording } from "./sse-recording.ts";

const positionSchema = z.strictObject({ records: z.int().min(0), bytes: z.int().min(0) });
const START: FilePosition = { records: 0, bytes: 0 };

/** A recording on disk: NDJSON, a JSON array or document, raw SSE; plain or gzip. Read once, to its end. */
export const file: RecordingSource = {
  name: "file",
  framing: "file",
  serves: (spec) => spec.kind === "file",
  gapIdentity: null,
  open: openRecording,
};

async function openRecording(
  path: string,
  position: string | null,
  limits: FrameLimits,
): Promise<RecordingReader> {
  const from = position === null ? START : positionSchema.parse(JSON.parse(position));
  // Lines are resumed at their byte; the format is told by the beginning all the same.
  const beginning = await openRecordingBytes(path, 0);
  try {
    const head = (await beginning.read()) ?? new Uint8Array();
    const bom = bomLength(head);
    const format = detectFormat(head.subarray(bom));
    if (format === "sse") return openSseRecording(beginning, head, limits, from);
    if (format === "values") {
      return createReader(beginning, head.subarray(bom), createValueSplitter(limits, from));
    }
    if (from.bytes === 0) {
      return createReader(
        beginning,
        head.subarray(bom),
        createLineSplitter(limits, { records: 0, bytes: bom }),
      );
    }
    await beginning.close();
    return createReader(await openRecordingBytes(path, from.bytes), null, createLineSplitter(limits, from));
  } catch (error) {
    await beginning.close();
    throw error;
  }
}

function createReader(bytes: RecordingBytes, first: Uint8Array | null, splitter: Splitter): RecordingReader {
  let pending = first;
  let isAtEnd = false;
  return {
    read: async () => {
      if (isAtEnd) return null;
      const chunk = pending ?? (await bytes.read());
      pending = null;
      if (chunk !== null) return splitter.push(chunk);
      isAtEnd = true;
      return splitter.end();
    },
    dropped: () => ({ cutFrames: 0, emptyFrames: 0 }),
    close: bytes.close,
  };
}
