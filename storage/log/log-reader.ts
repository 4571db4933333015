import type { Offset, SourceName } from "../model/brand.ts";
import { NO_OFFSET, offsetAfter, toOffset } from "../model/brand.ts";
import { AppError } from "../model/errors.ts";
import type { LogRead, LogReader } from "../model/log.ts";
import { fileIdentity } from "../files/file-identity.ts";
import { createReadAccount } from "./read-account.ts";
import { segmentBytes } from "./segment-bytes.ts";
import type { SegmentFile } from "./segment-path.ts";
import { listSegmentFiles } from "./segment-path.ts";
import { createSegmentCache } from "./segment-cache.ts";
import type { BlockRead } from "./segment-reader.ts";
import { parseStoredSettings } from "./settings-record.ts";

/** How to open a source's log for reading. */
export type OpenLogReaderOptions = {
  /** The source's own folder (`dataFolder.log(source)`); need not exist yet. */
  readonly folder: string;
  readonly source: SourceName;
};

/** A segment and the last offset that can be in it. */
type Span = SegmentFile & { readonly toOffset: Offset };

/**
 * Opens a source's log read-only. It follows the writer through appends, rotation and retention, holds no transaction
 * between calls, and keeps at most two segments open and one block decompressed.
 * Errors of the calls: `log-gone`, `catalog-held` (try again), `store-unreadable`, `data-folder-too-new`.
 */
export function openLogReader({ folder, source }: OpenLogReaderOptions): LogReader {
  const cache = createSegmentCache();
  let block: { readonly path: string; readonly identity: string | null; readonly read: BlockRead } | null =
    null;

  /** All segments with content and where each ends; the newest ends at its durable head. */
  const listSpans = (): readonly Span[] => {
    const files = [...listSegmentFiles(folder)];
    for (let file = files.at(-1); file !== undefined; file = files.at(-1)) {
      const head = cache.headOf(file);
      if (head !== null)
        return files.map((entry, index) => {
          const next = files[index + 1]?.fromOffset;
          return { ...entry, toOffset: next === undefined ? head : toOffset(next - 1) };
        });
      // Being created just now: not there yet.
      files.pop();
    }
    return [];
  };
  const blockAt = (span: Span, offset: Offset): BlockRead | null => {
    const segment = cache.open(span.path);
    if (segment === null) {
      // Removed since it was listed is not the same as broken: nothing was lost, the reader just had no lease.
      if (fileIdentity(span.path) === null) throw logGone(source, offset, null);
      return null;
    }
    const { path, identity } = segment;
    if (block?.path === path && block.identity === identity && covers(block.read, offset)) return block.read;
    const read = cache.guard(path, () => segment.blockAt(offset));
    block = read === null ? null : { path, identity, read };
    return read;
  };
  const read = (from: Offset, maxRecords: number, maxBytes: number): LogRead => {
    const spans = listSpans();
    const [first] = spans;
    if (from < (first?.fromOffset ?? NO_OFFSET)) throw logGone(source, from, first?.fromOffset ?? null);
    const account = createReadAccount(from, maxRecords, maxBytes);
    for (const span of spans) {
      while (account.next() >= span.fromOffset && account.next() <= span.toOffset && !account.isFull())
        account.takeBlock(blockAt(span, account.next()), span.toOffset);
      if (account.isFull()) break;
    }
    return account.finish();
  };

  return {
    source,
    head: () => listSpans().at(-1)?.toOffset ?? NO_OFFSET,
    tail: () => listSpans()[0]?.fromOffset ?? offsetAfter(NO_OFFSET),
    read,
    settingsAt: (offset) => {
      // Every segment begins with all settings, so the one that holds the offset normally answers.
      for (const span of listSpans().toReversed()) {
        if (span.fromOffset > offset) continue;
        const segment = cache.open(span.path);
        const text = segment === null ? null : cache.guard(span.path, () => segment.settingsAt(offset));
        if (text !== null) return parseStoredSettings(text);
      }
      return null;
    },
    segments: () => listSpans().map((span) => ({ ...span, bytes: segmentBytes(span.path) })),
    account: () => {
      const newest = listSpans().at(-1);
      const segment = newest === undefined ? null : cache.open(newest.path);
      const state = segment === null ? null : cache.guard(segment.path, () => segment.state());
      return state === null ? null : { head: state.head, counters: state.counters };
    },
    close: () => {
      block = null;
      cache.close();
    },
  };
}

function logGone(source: SourceName, offset: Offset, tail: Offset | null): AppError {
  return new AppError("log-gone", `The log of ${source} no longer holds offset ${offset}.`, {
    details: { source, offset, tail },
  });
}

function covers(read: BlockRead, offset: Offset): boolean {
  const last = read.kind === "unreadable" ? read.toOffset : read.fromOffset + read.records.length - 1;
  return read.fromOffset <= offset && offset <= last;
}
