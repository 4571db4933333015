import { parseFrames } from "../../sse/frame-parser.ts";
import type { FrameLimits, ReceivedFrame, RecordingReader } from "../../source-contract.ts";
import type { RecordingBytes } from "./recording-bytes.ts";
import type { FilePosition } from "./splitter.ts";

/** Reads raw SSE through the same parser as a connection, one piece per `read`; the first `from.records` are passed over. */
export function openSseRecording(
  bytes: RecordingBytes,
  first: Uint8Array,
  limits: FrameLimits,
  from: FilePosition,
): RecordingReader {
  let frames: ReceivedFrame[] = [];
  let records = 0;
  let emptyFrames = 0;
  let cutFrames = 0;
  let pending: Uint8Array | null = first;
  /** The parser asks for more exactly when everything before is taken; it waits here until the reader wants more. */
  let wanted = Promise.withResolvers<void>();
  let taken = Promise.withResolvers<void>();

  const read = async (): Promise<Uint8Array | null> => {
    taken.resolve();
    await wanted.promise;
    wanted = Promise.withResolvers<void>();
    const chunk = pending ?? (await bytes.read());
    pending = null;
    return chunk;
  };
  const parsed = parseFrames({ read }, limits, {
    take: (frame) => {
      records += 1;
      if (records <= from.records) return;
      frames.push({ ...frame, position: JSON.stringify({ records, bytes: 0 } satisfies FilePosition) });
    },
    takeEmpty: (count) => (emptyFrames += count),
  });
  const ended = parsed.then((end) => {
    if (end.isCut) cutFrames += 1;
    if (end.error !== null) throw end.error;
    return "ended" as const;
  });
  // Looked at by the next `read`; until then a failure must not count as unhandled.
  ended.catch(() => undefined);

  return {
    read: async () => {
      await Promise.race([taken.promise, ended]);
      taken = Promise.withResolvers<void>();
      wanted.resolve();
      const outcome = await Promise.race([taken.promise, ended]);
      const piece = frames;
      frames = [];
      return outcome === "ended" && piece.length === 0 ? null : piece;
    },
    dropped: () => ({ cutFrames, emptyFrames }),
    close: async () => {
      // A read that is still waited for must end, or the parser would stay behind it.
      pending = null;
      await bytes.close();
      wanted.resolve();
    },
  };
}
