import type { Database } from "better-sqlite3";
import { z } from "zod";
import type { Offset } from "../model/brand.ts";
import { toOffset } from "../model/brand.ts";
import type { IngestCounters } from "../model/record.ts";

/** Everything a segment knows besides its records: what the next append, the next segment and retention need. */
export type SegmentState = {
  readonly source: string;
  readonly firstOffset: Offset;
  /** Last offset in the segment. */
  readonly head: Offset;
  readonly cursor: string | null;
  readonly counters: IngestCounters;
  /** Settings in force at the head, canonical JSON. */
  readonly settings: string;
  /** Bytes of all block bodies, for rotation. */
  readonly bodyBytes: number;
  readonly createdTimeMs: number;
  /** Received time of the last record, for retention. */
  readonly lastReceivedMs: number;
};

const offset = z.int().min(0).transform(toOffset);
const count = z.int().min(0);

const countersSchema = z.object({
  appended: count,
  appendedBytes: count,
  cutFrames: count,
  emptyFrames: count,
  connections: count,
});

const rowSchema = z
  .object({
    source: z.string(),
    first_offset: offset,
    head: offset,
    cursor: z.string().nullable(),
    counters: z.string().transform((text) => countersSchema.parse(JSON.parse(text))),
    settings: z.string(),
    body_bytes: count,
    created_time_ms: z.number(),
    last_received_ms: z.number(),
  })
  .transform((row): SegmentState => ({
    source: row.source,
    firstOffset: row.first_offset,
    head: row.head,
    cursor: row.cursor,
    counters: row.counters,
    settings: row.settings,
    bodyBytes: row.body_bytes,
    createdTimeMs: row.created_time_ms,
    lastReceivedMs: row.last_received_ms,
  }));

/** The state in an open segment, or null when its first transaction never happened. Throws when it makes no sense. */
export function readSegmentState(database: Database): SegmentState | null {
  const row = database.prepare<[], unknown>("SELECT * FROM meta").get();
  return row === undefined ? null : rowSchema.parse(row);
}

/** Prepares the statement that stores a state; must run in the transaction of the records it describes. */
export function prepareStateWrite(database: Database): (state: SegmentState) => void {
  const statement = database.prepare(
    `INSERT INTO meta (id, source, first_offset, head, cursor, counters, settings, body_bytes, created_time_ms, last_received_ms)
     VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET head = excluded.head, cursor = excluded.cursor, counters = excluded.counters,
       settings = excluded.settings, body_bytes = excluded.body_bytes, last_received_ms = excluded.last_received_ms`,
  );
  return (state) => {
    statement.run(
      state.source,
      state.firstOffset,
      state.head,
      state.cursor,
      JSON.stringify(state.counters),
      state.settings,
      state.bodyBytes,
      // STRICT integer columns; a clock may give fractions.
      Math.trunc(state.createdTimeMs),
      Math.trunc(state.lastReceivedMs),
    );
  };
}
