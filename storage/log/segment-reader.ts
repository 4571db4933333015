import Database from "better-sqlite3";
import type { Offset } from "../model/brand.ts";
import { offsetAfter, toOffset } from "../model/brand.ts";
import type { LogRecord } from "../model/record.ts";
import { fileIdentity } from "../files/file-identity.ts";
import { decodeBlock } from "./block-codec.ts";
import { assertKnownVersion, readSchemaVersion } from "./migrations.ts";
import { readSegmentState, type SegmentState } from "./segment-state.ts";
import { BUSY_TIMEOUT_MS, isCorruption } from "./sqlite-error.ts";

/** Records of one block, or why they cannot be read. Both name the whole block. */
export type BlockRead =
  | { readonly kind: "records"; readonly fromOffset: Offset; readonly records: readonly LogRecord[] }
  | {
      readonly kind: "unreadable";
      readonly fromOffset: Offset;
      readonly toOffset: Offset;
      readonly reason: string;
    };

/** A segment open for reading while another process may write it. Must be closed. */
export type SegmentReader = {
  readonly path: string;
  /** The file at this path when it was opened; another one means that the segment was replaced. */
  readonly identity: string | null;
  /** Last durable offset in the segment. Throws what SQLite throws. */
  readonly head: () => Offset;
  /** All that the newest transaction left besides the records; null when there was none. Throws what SQLite throws. */
  readonly state: () => SegmentState | null;
  /** The block that holds `offset`, or the first one behind it; null when there is none, so up to the segment's end. */
  readonly blockAt: (offset: Offset) => BlockRead | null;
  /** Settings (canonical JSON) in force at `offset`, or null when that cannot be read here. */
  readonly settingsAt: (offset: Offset) => string | null;
  readonly close: () => void;
};

/**
 * Opens a segment read-only. Null while it has no content yet: the writer is between creating the file and its first
 * commit. Throws `data-folder-too-new` and what SQLite throws.
 */
export function openSegmentReader(path: string): SegmentReader | null {
  const identity = fileIdentity(path);
  const database = new Database(path, { readonly: true, timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
  try {
    const version = readSchemaVersion(database);
    assertKnownVersion(version, path);
    const hasState = version > 0 && database.prepare("SELECT 1 FROM meta").get() !== undefined;
    if (hasState) return createSegmentReader(database, path, identity);
    database.close();
    return null;
  } catch (error) {
    database.close();
    throw error;
  }
}

type BlockHead = { first_offset: number; record_count: number };
type BlockBody = { raw_bytes: number; codec: number; body: Buffer };

function createSegmentReader(
  database: Database.Database,
  path: string,
  identity: string | null,
): SegmentReader {
  const headOf = database.prepare<[], number>("SELECT head FROM meta WHERE id = 1").pluck();
  const headBefore = database.prepare<[number], BlockHead>(
    "SELECT first_offset, record_count FROM blocks WHERE first_offset <= ? ORDER BY first_offset DESC LIMIT 1",
  );
  const headBehind = database.prepare<[number], BlockHead>(
    "SELECT first_offset, record_count FROM blocks WHERE first_offset > ? ORDER BY first_offset LIMIT 1",
  );
  const bodyOf = database.prepare<[number], BlockBody>(
    "SELECT raw_bytes, codec, body FROM blocks WHERE first_offset = ?",
  );
  const settings = database
    .prepare<[number], string>(
      "SELECT settings FROM settings_changes WHERE log_offset <= ? ORDER BY log_offset DESC LIMIT 1",
    )
    .pluck();

  const findHead = (offset: Offset): BlockHead | undefined => {
    const before = headBefore.get(offset);
    return before !== undefined && before.first_offset + before.record_count > offset
      ? before
      : headBehind.get(offset);
  };
  return {
    path,
    identity,
    head: () => toOffset(headOf.get() ?? Number.NaN),
    state: () => readSegmentState(database),
    blockAt: (offset) => {
      // A head that cannot be read at all leaves nothing to go by: the caller skips to the segment's end.
      const head = nullIfBroken(() => findHead(offset));
      return head === null || head === undefined
        ? null
        : readBlock(head, () => bodyOf.get(head.first_offset));
    },
    settingsAt: (offset) => nullIfBroken(() => settings.get(offset) ?? null),
    close: () => {
      database.close();
    },
  };
}

function readBlock(head: BlockHead, readBody: () => BlockBody | undefined): BlockRead {
  const fromOffset = toOffset(head.first_offset);
  try {
    const row = readBody();
    if (row === undefined) throw new RangeError("block is gone");
    const stored = { codec: row.codec, rawBytes: row.raw_bytes, body: row.body };
    return { kind: "records", fromOffset, records: decodeBlock(stored, fromOffset, head.record_count) };
  } catch (error) {
    // A lock or a full disk is trouble of the machine, not of the block, and must not count as loss.
    if (error instanceof Database.SqliteError && !isCorruption(error)) throw error;
    const reason = `block cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return {
      kind: "unreadable",
      fromOffset,
      toOffset: offsetAfter(fromOffset, head.record_count - 1),
      reason,
    };
  }
}

function nullIfBroken<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (isCorruption(error)) return null;
    throw error;
  }
}
