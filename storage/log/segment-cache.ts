import type { Offset } from "../model/brand.ts";
import { toOffset } from "../model/brand.ts";
import { fileIdentity } from "../files/file-identity.ts";
import type { SegmentFile } from "./segment-path.ts";
import type { SegmentReader } from "./segment-reader.ts";
import { openSegmentReader } from "./segment-reader.ts";
import { isCorruption, toLogError } from "./sqlite-error.ts";

/** The one that is read and the newest, whose head is asked; more would keep removed files on disk. */
const MAX_OPEN_SEGMENTS = 2;

/** Open segments of one reader. */
export type SegmentCache = {
  /** The segment at `path`, or null when it has no content, is gone or cannot be read at all. */
  readonly open: (path: string) => SegmentReader | null;
  /** Durable head of the newest segment; null while it has no content. */
  readonly headOf: (file: SegmentFile) => Offset | null;
  /** Runs a read, turning SQLite's errors into the product's; null when the file is broken or gone. */
  readonly guard: <T>(path: string, read: () => T | null) => T | null;
  readonly close: () => void;
};

/** An empty cache. */
export function createSegmentCache(): SegmentCache {
  /** In the order of last use, so that the first is the one to close. */
  const open = new Map<string, SegmentReader>();

  const drop = (path: string): void => {
    const reader = open.get(path);
    open.delete(path);
    reader?.close();
  };
  const guard = <T>(path: string, read: () => T | null): T | null => {
    try {
      return read();
    } catch (error) {
      drop(path);
      if (isCorruption(error) || fileIdentity(path) === null) return null;
      throw toLogError(error, path);
    }
  };
  const openCached = (path: string): SegmentReader | null => {
    const known = open.get(path);
    // A quarantined segment may have been followed by another one of the same name.
    if (known !== undefined && known.identity === fileIdentity(path)) {
      open.delete(path);
      open.set(path, known);
      return known;
    }
    drop(path);
    const reader = guard(path, () => openSegmentReader(path));
    if (reader === null) return null;
    open.set(path, reader);
    const [oldest] = open.keys();
    if (open.size > MAX_OPEN_SEGMENTS && oldest !== undefined) drop(oldest);
    return reader;
  };
  return {
    open: openCached,
    headOf: ({ path }) => {
      const reader = openCached(path);
      return reader === null ? null : guard(path, () => toOffset(reader.head()));
    },
    guard,
    close: () => {
      for (const reader of open.values()) reader.close();
      open.clear();
    },
  };
}
