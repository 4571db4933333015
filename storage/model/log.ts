import type { Offset, SourceName } from "./brand.ts";
import type { AppendRecord, IngestCounters, LogRecord } from "./record.ts";
import type { ResultSettings } from "./settings.ts";

/** The only writer of a source's log. Opened by `openLogWriter` (storage/log/log-writer.ts); must be closed. */
export type LogWriter = {
  /** Last offset in the log. */
  readonly head: () => Offset;
  /** Source position stored with the last appended records; null when none was ever stored. */
  readonly cursor: () => string | null;
  /** First hop's account, as stored. */
  readonly counters: () => IngestCounters;
  /** Settings in force at the head. */
  readonly settings: () => ResultSettings;
  /**
   * Appends records with dense offsets and stores cursor and counters in the same transaction; durable when it returns.
   * `appended` and `appendedBytes` are counted by the log itself (its own settings and note records too); the values given are ignored.
   * Returns the new head. Errors: `disk-full` and `catalog-held` (transient, nothing was appended), `file-replaced` (fatal).
   */
  readonly append: (
    records: readonly AppendRecord[],
    cursor: string | null,
    counters: IngestCounters,
  ) => Offset;
  /** Appends a settings record with all values; they take effect at its offset. Returns it, or null when nothing differs. */
  readonly changeSettings: (settings: ResultSettings, receivedTimeMs: number) => Offset | null;
  /** Starts a new segment when the current one is full or old. The new one begins with a settings record. */
  readonly rotateIfDue: (nowMs: number) => boolean;
  /** Removes whole segments behind `keepFrom` that are old or beyond the size; returns what went. */
  readonly applyRetention: (options: LogRetention) => readonly RemovedSegment[];
  /** Closes the segment and lets go of the lock. */
  readonly close: () => void;
};

/** What retention may remove: segments wholly before `keepFrom` (seal point, leases) that are older than `keepMs`, or beyond `keepBytes`. */
export type LogRetention = {
  readonly keepFrom: Offset;
  readonly keepMs: number;
  readonly keepBytes: number;
  readonly nowMs: number;
};

/** A segment that retention removed. */
export type RemovedSegment = {
  readonly path: string;
  readonly fromOffset: Offset;
  readonly toOffset: Offset;
  readonly bytes: number;
};

/** One segment file as a reader sees it. */
export type SegmentInfo = {
  readonly path: string;
  readonly fromOffset: Offset;
  /** Last offset in it; one less than `fromOffset` when it is empty. */
  readonly toOffset: Offset;
  readonly bytes: number;
};

/** Head and first hop's account as one transaction left them. */
export type LogAccount = { readonly head: Offset; readonly counters: IngestCounters };

/** Reads a source's log while another process writes it. Opened by `openLogReader` (storage/log/log-reader.ts); must be closed. */
export type LogReader = {
  readonly source: SourceName;
  /** Last durable offset now. */
  readonly head: () => Offset;
  /** First offset still kept; head + 1 when the log is empty. */
  readonly tail: () => Offset;
  /**
   * Records from `from` on, in order, at most `maxRecords` and about `maxBytes` (always at least one when there is one).
   * An unreadable block yields `unreadable` ranges instead of records. Throws `log-gone` when `from` is before the tail.
   */
  readonly read: (from: Offset, maxRecords: number, maxBytes: number) => LogRead;
  /** The settings in force at `offset` (the newest settings record at or before it that is still kept), or null. */
  readonly settingsAt: (offset: Offset) => ResultSettings | null;
  readonly segments: () => readonly SegmentInfo[];
  /** The first hop's account of one moment; null while the log is empty. */
  readonly account: () => LogAccount | null;
  readonly close: () => void;
};

/** A piece of the log. Records and unreadable ranges together cover `fromOffset`…`toOffset` without a hole. */
export type LogRead = {
  readonly fromOffset: Offset;
  /** One less than `fromOffset` when nothing was there. */
  readonly toOffset: Offset;
  readonly records: readonly LogRecord[];
  readonly unreadable: readonly {
    readonly fromOffset: Offset;
    readonly toOffset: Offset;
    readonly reason: string;
  }[];
};
