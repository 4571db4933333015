import Database from "better-sqlite3";
import type { Offset } from "../model/brand.ts";
import { offsetAfter, toOffset } from "../model/brand.ts";
import { AppError } from "../model/errors.ts";
import { decodeBlock } from "./block-codec.ts";
import { assertKnownVersion, readSchemaVersion } from "./migrations.ts";
import type { SegmentFile } from "./segment-path.ts";
import type { SegmentState } from "./segment-state.ts";
import { readSegmentState } from "./segment-state.ts";
import { BUSY_TIMEOUT_MS, isCorruption, toLogError } from "./sqlite-error.ts";

/** What the last segment of a log turned out to be when it was looked at before writing. */
export type Inspection =
  | { readonly state: "whole"; readonly segment: SegmentState }
  /** Created, but its first transaction never happened: holds nothing. */
  | { readonly state: "unfinished" }
  /** Its content is broken; it must be set aside, not written to. */
  | { readonly state: "broken"; readonly reason: string };

/**
 * Looks at a segment before it is written again: its state must read, its blocks must be dense from its first offset to
 * its head, and the last one must decode. That walks only index pages and one block (a full check would read the whole
 * file at every start); a broken block further in is found and told by the reader.
 * Throws `data-folder-too-new`, and what the system throws when the file cannot be opened for another reason.
 */
export function inspectSegment({ path, fromOffset }: SegmentFile): Inspection {
  let database: Database.Database | null = null;
  try {
    database = new Database(path, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
    return inspectOpen(database, path, fromOffset);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // zlib's errors, wrong row shapes and RangeErrors mean a broken content just as SQLite's own verdict does.
    const broken = isCorruption(error) || !isSqliteError(error);
    if (broken) return { state: "broken", reason: error instanceof Error ? error.message : String(error) };
    throw toLogError(error, path);
  } finally {
    database?.close();
  }
}

function isSqliteError(error: unknown): boolean {
  return error instanceof Database.SqliteError;
}

function inspectOpen(database: Database.Database, path: string, fromOffset: Offset): Inspection {
  const version = readSchemaVersion(database);
  assertKnownVersion(version, path);
  if (version === 0) return inspectUnversioned(database);
  const segment = readSegmentState(database);
  if (segment === null) {
    const blocks = database.prepare("SELECT 1 FROM blocks LIMIT 1").get();
    return blocks === undefined
      ? { state: "unfinished" }
      : { state: "broken", reason: "it has records but no state" };
  }
  const reason = findBlockFault(database, segment, fromOffset);
  return reason === null ? { state: "whole", segment } : { state: "broken", reason };
}

function inspectUnversioned(database: Database.Database): Inspection {
  const tables = database.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get();
  return tables === undefined
    ? { state: "unfinished" }
    : { state: "broken", reason: "it has tables but no schema version" };
}

type BlockHead = { first_offset: number; record_count: number };
type BlockRow = BlockHead & { raw_bytes: number; codec: number; body: Buffer };

function findBlockFault(
  database: Database.Database,
  segment: SegmentState,
  fromOffset: Offset,
): string | null {
  if (segment.firstOffset !== fromOffset)
    return `its name says ${fromOffset}, its state ${segment.firstOffset}`;
  let next = fromOffset;
  const heads = database.prepare<[], BlockHead>(
    "SELECT first_offset, record_count FROM blocks ORDER BY first_offset",
  );
  for (const block of heads.iterate()) {
    if (block.first_offset !== next) return `a block begins at ${block.first_offset} instead of ${next}`;
    next = offsetAfter(next, block.record_count);
  }
  if (next !== offsetAfter(segment.head))
    return `its records end before ${next}, its state says ${segment.head}`;
  const last = database
    .prepare<[], BlockRow>("SELECT * FROM blocks ORDER BY first_offset DESC LIMIT 1")
    .get();
  if (last === undefined) return "it has a state but no records";
  const stored = { codec: last.codec, rawBytes: last.raw_bytes, body: last.body };
  decodeBlock(stored, toOffset(last.first_offset), last.record_count);
  return null;
}

/** State of a segment that is no longer written, or null when it cannot be read. */
export function readClosedSegment(path: string): SegmentState | null {
  let database: Database.Database | null = null;
  try {
    database = new Database(path, { readonly: true, timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
    return readSegmentState(database);
  } catch {
    // Retention and takeover then go by what is known without it: name, successor, file time.
    return null;
  } finally {
    database?.close();
  }
}
