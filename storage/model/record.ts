import type { Offset } from "./brand.ts";

/**
 * What a log record is (architecture.md "Who writes what").
 * event: a frame as received. oversized: a frame above the cap, first 1 MiB kept. redrive: a dead letter sent again.
 * repair: a record re-read from the source to close a gap. settings: all result-deciding values from here on. note: a fact about ingest.
 */
export const RECORD_KINDS = ["event", "oversized", "redrive", "repair", "settings", "note"] as const;

/** One of {@link RECORD_KINDS}. */
export type RecordKind = (typeof RECORD_KINDS)[number];

/** One record of a source's log, exactly as it was received. */
export type LogRecord = {
  readonly offset: Offset;
  readonly kind: RecordKind;
  /** SSE event type (`message`, `error`), or the name that a file source gives. Empty for settings and notes. */
  readonly stream: string;
  /** The source's own id of the record (SSE `id` in force), unchanged; empty where it gave none. */
  readonly sourceId: string;
  /** Received time, ms since 1970 UTC, by the local clock. */
  readonly receivedTimeMs: number;
  /** HTTP `Date` minus local clock when the response came; null without one. */
  readonly serverOffsetMs: number | null;
  /** The bytes of the data field. For oversized: the first 1 MiB. For settings and notes: JSON. May be invalid UTF-8. */
  readonly data: Uint8Array;
  /** JSON text with what a kind needs besides its bytes (oversized: {@link OversizedDetail}; redrive: JSON with `originalOffset`, the dead letter it repeats); null otherwise. */
  readonly detail: string | null;
};

/** A record before the log gave it an offset. */
export type AppendRecord = Omit<LogRecord, "offset">;

/** `detail` of an oversized record: the whole frame's data length and hash (of all bytes, also those not kept). */
export type OversizedDetail = { readonly lengthBytes: number; readonly sha256: string };

/** Body of a note record: a fact that later decisions must be able to read from the log alone. */
export type NoteBody =
  | {
      readonly note: "gap-asked";
      readonly topic: string;
      readonly partition: number;
      readonly fromOffset: number;
      readonly toOffset: number;
    }
  | {
      readonly note: "resume-refused";
      readonly status: number;
      readonly sinceMs: number;
      readonly detail: string;
    }
  | { readonly note: "log-tail-lost"; readonly fromOffset: number; readonly toOffset: number }
  | {
      readonly note: "catalog-went-back";
      readonly foundSnapshotId: number;
      readonly seenSnapshotId: number;
      readonly continuesAt: number;
    };

/** First hop's account of one source since the log began; written in the transaction of the records it counts. */
export type IngestCounters = {
  /** Records appended, of every kind. */
  readonly appended: number;
  /** Bytes of data appended. */
  readonly appendedBytes: number;
  /** Frames dropped because the connection ended before their blank line (dropped with their id, as SSE demands). */
  readonly cutFrames: number;
  /** Frames without data, which SSE ignores. */
  readonly emptyFrames: number;
  /** Connections opened so far. */
  readonly connections: number;
};

/** A fresh account. */
export const NO_INGEST_COUNTERS: IngestCounters = {
  appended: 0,
  appendedBytes: 0,
  cutFrames: 0,
  emptyFrames: 0,
  connections: 0,
};
