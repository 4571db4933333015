import Database from "better-sqlite3";
import type { Offset } from "../model/brand.ts";
import { offsetAfter } from "../model/brand.ts";
import type { AppendRecord } from "../model/record.ts";
import { failpoint, setFailpointRange } from "../failpoint/failpoint.ts";
import { assertSameFile, fileIdentity } from "../files/file-identity.ts";
import { encodeBlock, splitIntoBlocks } from "./block-codec.ts";
import { migrateSegment } from "./migrations.ts";
import type { SegmentState } from "./segment-state.ts";
import { prepareStateWrite } from "./segment-state.ts";
import { BUSY_TIMEOUT_MS, toLogError } from "./sqlite-error.ts";

/** A segment open for appending. Must be closed. */
export type SegmentWriter = {
  readonly path: string;
  /**
   * Stores records from `state.head + 1` on together with the state after them, in one durable transaction, and returns
   * that state: as given, with head, settings, body bytes and last received time as the records leave them.
   */
  readonly append: (state: SegmentState, records: readonly AppendRecord[]) => SegmentState;
  /** Moves the WAL into the database file, as far as readers allow. */
  readonly walCheckpoint: () => void;
  readonly close: () => void;
};

/**
 * Opens the segment at `path`, creating file and tables as needed. WAL with synchronous FULL: with NORMAL a power cut
 * could drop log commits that the lake already consumed.
 */
export function openSegmentWriter(path: string): SegmentWriter {
  const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    // macOS: a plain fsync does not reach the disk. A no-op elsewhere.
    database.pragma("fullfsync = ON");
    database.pragma("checkpoint_fullfsync = ON");
    migrateSegment(database);
    return createSegmentWriter(database, path);
  } catch (error) {
    database.close();
    throw toLogError(error, path);
  }
}

function createSegmentWriter(database: Database.Database, path: string): SegmentWriter {
  const identity = fileIdentity(path);
  const insertBlock = database.prepare(
    "INSERT INTO blocks (first_offset, record_count, raw_bytes, codec, body) VALUES (?, ?, ?, ?, ?)",
  );
  const insertSettings = database.prepare(
    "INSERT INTO settings_changes (log_offset, settings) VALUES (?, ?)",
  );
  const writeState = prepareStateWrite(database);
  const store = database.transaction((packed: PackedAppend) => {
    for (const { first, count, block } of packed.blocks)
      insertBlock.run(first, count, block.rawBytes, block.codec, block.body);
    for (const { offset, settings } of packed.settings) insertSettings.run(offset, settings);
    failpoint("ingest-in-append");
    writeState(packed.state);
    assertSameFile(path, identity);
  });

  return {
    path,
    append: (state, records) => {
      const packed = packAppend(state, records);
      setFailpointRange(state.head + 1, packed.state.head);
      try {
        store.immediate(packed);
      } catch (error) {
        throw toLogError(error, path);
      }
      return packed.state;
    },
    walCheckpoint: () => {
      try {
        database.pragma("wal_checkpoint(TRUNCATE)");
      } catch (error) {
        throw toLogError(error, path);
      }
    },
    close: () => {
      database.close();
    },
  };
}

type PackedAppend = {
  readonly state: SegmentState;
  readonly blocks: readonly { first: Offset; count: number; block: ReturnType<typeof encodeBlock> }[];
  readonly settings: readonly { offset: Offset; settings: string }[];
};

/** Compresses before the transaction begins, so that it is short. */
function packAppend(state: SegmentState, records: readonly AppendRecord[]): PackedAppend {
  const blocks: { first: Offset; count: number; block: ReturnType<typeof encodeBlock> }[] = [];
  const settings: { offset: Offset; settings: string }[] = [];
  let { head, bodyBytes, lastReceivedMs } = state;
  for (const part of splitIntoBlocks(records)) {
    const block = encodeBlock(part);
    blocks.push({ first: offsetAfter(head), count: part.length, block });
    for (const [index, record] of part.entries())
      if (record.kind === "settings")
        settings.push({
          offset: offsetAfter(head, index + 1),
          settings: new TextDecoder().decode(record.data),
        });
    head = offsetAfter(head, part.length);
    bodyBytes += block.body.length;
    lastReceivedMs = part.at(-1)?.receivedTimeMs ?? lastReceivedMs;
  }
  const inForce = settings.at(-1)?.settings ?? state.settings;
  return { state: { ...state, head, bodyBytes, lastReceivedMs, settings: inForce }, blocks, settings };
}
