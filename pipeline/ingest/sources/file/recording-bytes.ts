import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { AppError } from "#storage/model/errors.ts";

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** The text of a recording, unpacked where it is gzip. Must be closed. */
export type RecordingBytes = {
  /** The next bytes; null at the end. Rejects with `source-file-unreadable`, for a cut gzip too. */
  readonly read: () => Promise<Uint8Array | null>;
  readonly close: () => Promise<void>;
};

/** What the beginning of a file says of it. */
export type RecordingHead = { readonly isGzip: boolean; readonly sizeBytes: number };

/** Opens the file at byte `from` of its text (a byte order mark before it does not count as text). */
export async function openRecordingBytes(path: string, from: number): Promise<RecordingBytes> {
  const { isGzip, sizeBytes } = await readHead(path);
  if (!isGzip && from > sizeBytes) {
    throw new AppError(
      "source-file-unreadable",
      `${path} is shorter (${sizeBytes} bytes) than what was read of it before (${from} bytes); it is not the same file any more`,
    );
  }
  const file = createReadStream(path, isGzip ? {} : { start: from });
  const bytes = isGzip ? file.pipe(createGunzip()) : file;
  // pipe() does not hand errors on, and an unread stream must not bring the process down.
  if (isGzip) file.on("error", (error) => bytes.destroy(error));
  const chunks = bytes[Symbol.asyncIterator]();
  let toSkip = isGzip ? from : 0;
  return {
    read: async () => {
      try {
        for (;;) {
          const next = await chunks.next();
          if (next.done === true) return null;
          const chunk = toBytes(next.value);
          const rest = chunk.subarray(Math.min(toSkip, chunk.length));
          toSkip -= chunk.length - rest.length;
          if (rest.length > 0) return rest;
        }
      } catch (error) {
        throw unreadable(path, error);
      }
    },
    close: async () => {
      file.destroy();
      bytes.destroy();
      await chunks.return?.();
    },
  };
}

/** Length of a byte order mark at the start of `bytes`. */
export function bomLength(bytes: Uint8Array): number {
  return Buffer.compare(bytes.subarray(0, 3), BOM) === 0 ? 3 : 0;
}

async function readHead(path: string): Promise<RecordingHead> {
  try {
    // Asked before it is opened: opening a pipe waits for its writer, and a device may give zeros for ever.
    if (!(await stat(path)).isFile())
      throw new Error("it is a folder, pipe or device; a recording is a file that can be read again");
    await using file = await open(path, "r");
    const { size } = await file.stat();
    const head = Buffer.alloc(2);
    await file.read(head, 0, 2, 0);
    return { isGzip: head[0] === 0x1f && head[1] === 0x8b, sizeBytes: size };
  } catch (error) {
    throw unreadable(path, error);
  }
}

function toBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError("a file gives bytes");
}

function unreadable(path: string, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppError("source-file-unreadable", `${path} cannot be read: ${why}`, { cause });
}
