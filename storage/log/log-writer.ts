import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Offset, SourceName } from "../model/brand.ts";
import { NO_OFFSET, offsetAfter, toOffset } from "../model/brand.ts";
import type { Clock } from "../model/clock.ts";
import { systemClock } from "../model/clock.ts";
import type { LogRetention, LogWriter, RemovedSegment } from "../model/log.ts";
import type { AppendRecord, IngestCounters, NoteBody } from "../model/record.ts";
import { NO_INGEST_COUNTERS } from "../model/record.ts";
import type { IngestSettings, ResultSettings } from "../model/settings.ts";
import { DEFAULT_RESULT_SETTINGS } from "../model/settings.ts";
import { failpoint } from "../failpoint/failpoint.ts";
import { fsyncFolder } from "../files/write-file-atomic.ts";
import type { ClosedFacts } from "./retention.ts";
import { describeClosed, planRetention, removeSegment } from "./retention.ts";
import { lastLostOffset, unsettledQuarantine } from "./lost-offsets.ts";
import { segmentBytes } from "./segment-bytes.ts";
import { listSegmentFiles, segmentPath } from "./segment-path.ts";
import type { SegmentState } from "./segment-state.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import { openSegmentWriter } from "./segment-writer.ts";
import { canonicalSettings, controlRecord, parseStoredSettings, settingsRecord } from "./settings-record.ts";
import type { LogTakeover, TakenOver } from "./take-over.ts";
import { removeUnfinished, takeOverLog } from "./take-over.ts";

/** What the lake says about a log that is taken over; the log never gives an offset up to `checkpoint` again. */
export type LakeOfLog = {
  /** Last offset whose effects are in the lake; {@link NO_OFFSET} for a new lake. */
  readonly checkpoint: Offset;
  /** Where the source goes on when no segment is left to say so. */
  readonly cursor: string | null;
  /** Settings in force at the checkpoint, JSON; hold when no segment is left to say so. */
  readonly settings: string | null;
};

/** A lake that knows nothing of the log yet. */
export const NEW_LAKE: LakeOfLog = { checkpoint: NO_OFFSET, cursor: null, settings: null };

/** How to open a source's log for writing. */
export type OpenLogWriterOptions = {
  /** The source's own folder (`dataFolder.log(source)`); created when missing. */
  readonly folder: string;
  readonly source: SourceName;
  /** Where broken segments are set aside (`dataFolder.quarantine`). */
  readonly quarantine: string;
  /** What the lake knows of this log. Asked once, after broken segments were moved away, since the lake moves on until then. */
  readonly lake: () => LakeOfLog;
  /** The user's wish; null when it is missing or unreadable, which changes nothing. */
  readonly settings: ResultSettings | null;
  readonly limits: Pick<IngestSettings, "segmentMaxBytes" | "segmentMaxAgeMs">;
  readonly clock?: Clock;
};

/** The log's writer, and what it found when it took the log over. */
export type OpenedLogWriter = LogWriter & { readonly takeover: LogTakeover };

/**
 * Takes a source's log over, or begins one. The caller holds the writer lock of the log folder. Writes before it
 * returns: a first segment for a new log, a note when the log lost its tail, the wish when it differs from what is in
 * force. Errors: `data-folder-too-new`, `store-unreadable`, `disk-full`, `catalog-held`.
 */
export function openLogWriter(options: OpenLogWriterOptions): OpenedLogWriter {
  const { folder, source, clock = systemClock } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  fsyncFolder(dirname(folder));
  const takenOver = takeOverLog(folder, source, options.quarantine, clock.nowMs());
  const { newest, quarantined } = takenOver;
  const lake = options.lake();
  const tailLost = lostTail(options, takenOver, lake.checkpoint);
  const writer = new SegmentedLogWriter(options, { quarantined, tailLost }, lake);
  try {
    if (newest === null || tailLost !== null)
      writer.begin(newest?.state ?? null, tailLost?.toOffset ?? NO_OFFSET, clock.nowMs());
    else writer.resume(newest.path, newest.state);
    if (options.settings !== null) writer.changeSettings(options.settings, clock.nowMs());
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** What lies between the readable head and the first offset that nobody can have read; null when that is the next one. */
function lostTail(
  options: OpenLogWriterOptions,
  found: TakenOver,
  checkpoint: Offset,
): LogTakeover["tailLost"] {
  const newest = found.newest?.state ?? null;
  const head = newest?.head ?? NO_OFFSET;
  const aside = found.quarantined.map(({ movedTo }) => movedTo);
  const unsettled = unsettledQuarantine(options.quarantine, options.source, newest);
  const last = toOffset(Math.max(checkpoint, lastLostOffset([...aside, ...unsettled], checkpoint)));
  return last > head ? { fromOffset: offsetAfter(head), toOffset: last } : null;
}

/**
 * Appends to the newest segment of a folder. Lifetime: begin or resume once, then any calls, then close.
 * `#state` is what the last committed transaction stored; a call that throws leaves it as it was.
 */
class SegmentedLogWriter implements OpenedLogWriter {
  readonly takeover: LogTakeover;
  readonly #options: OpenLogWriterOptions;
  readonly #lake: LakeOfLog;
  readonly #closedFacts: ClosedFacts = new Map();
  #segment: SegmentWriter | null = null;
  #state: SegmentState | null = null;

  constructor(options: OpenLogWriterOptions, takeover: LogTakeover, lake: LakeOfLog) {
    this.#options = options;
    this.#lake = lake;
    this.takeover = takeover;
  }

  /** Goes on in an existing segment. */
  resume(path: string, state: SegmentState): void {
    this.#segment = openSegmentWriter(path);
    this.#state = state;
  }

  /** Begins a segment behind `last` with all settings in force (and the note that the tail is lost, when it is). */
  begin(before: SegmentState | null, last: Offset, nowMs: number): void {
    const settings = before?.settings ?? this.#settingsWithoutLog();
    const records = [settingsRecord(settings, nowMs)];
    if (this.takeover.tailLost !== null && this.#segment === null)
      records.push(controlRecord("note", JSON.stringify(tailLostNote(this.takeover.tailLost)), nowMs));
    const first: SegmentState = {
      source: this.#options.source,
      firstOffset: offsetAfter(last),
      head: last,
      cursor: before === null ? this.#lake.cursor : before.cursor,
      counters: addRecords(before?.counters ?? NO_INGEST_COUNTERS, records),
      settings,
      bodyBytes: 0,
      createdTimeMs: nowMs,
      lastReceivedMs: nowMs,
    };
    failpoint("log-rotate-before-create");
    const begun = beginSegment(segmentPath(this.#options.folder, first.firstOffset), first, records);
    this.#leaveSegment();
    this.#segment = begun.segment;
    this.#state = begun.state;
  }

  head = (): Offset => this.#open().state.head;
  cursor = (): string | null => this.#open().state.cursor;
  counters = (): IngestCounters => this.#open().state.counters;
  settings = (): ResultSettings => parseStoredSettings(this.#open().state.settings);

  append = (records: readonly AppendRecord[], cursor: string | null, counters: IngestCounters): Offset => {
    if (records.some((record) => record.kind === "settings"))
      throw new RangeError("settings records are appended by changeSettings");
    const { segment, state } = this.#open();
    const { appended, appendedBytes } = addRecords(state.counters, records);
    this.#state = segment.append(
      { ...state, cursor, counters: { ...counters, appended, appendedBytes } },
      records,
    );
    return this.#state.head;
  };

  changeSettings = (settings: ResultSettings, receivedTimeMs: number): Offset | null => {
    const { segment, state } = this.#open();
    const canonical = canonicalSettings(settings);
    if (canonical === canonicalSettings(parseStoredSettings(state.settings))) return null;
    const records = [settingsRecord(canonical, receivedTimeMs)];
    this.#state = segment.append({ ...state, counters: addRecords(state.counters, records) }, records);
    return this.#state.head;
  };

  rotateIfDue = (nowMs: number): boolean => {
    const { state } = this.#open();
    const { segmentMaxBytes, segmentMaxAgeMs } = this.#options.limits;
    // An idle source must not leave a trail of segments that hold only their own settings record.
    if (state.head === state.firstOffset) return false;
    if (state.bodyBytes < segmentMaxBytes && nowMs - state.createdTimeMs < segmentMaxAgeMs) return false;
    this.begin(state, state.head, nowMs);
    return true;
  };

  applyRetention = (retention: LogRetention): readonly RemovedSegment[] => {
    const { segment } = this.#open();
    const closed = describeClosed(listSegmentFiles(this.#options.folder), this.#closedFacts);
    const due = planRetention(closed, segmentBytes(segment.path), retention);
    if (due.length === 0) return [];
    // The cursor and counters that the old segments also held must stand in a database file, not only in a WAL.
    segment.walCheckpoint();
    const removed: RemovedSegment[] = [];
    for (const { path, fromOffset, toOffset: last, bytes } of due) {
      // In order and without a hole: when one cannot go, those behind it stay too.
      if (!removeSegment(path)) break;
      this.#closedFacts.delete(path);
      removed.push({ path, fromOffset, toOffset: last, bytes });
    }
    return removed;
  };

  close = (): void => {
    this.#leaveSegment();
    this.#segment = null;
    this.#state = null;
  };

  #settingsWithoutLog(): string {
    if (this.#lake.settings !== null) return canonicalSettings(parseStoredSettings(this.#lake.settings));
    return canonicalSettings(this.#options.settings ?? DEFAULT_RESULT_SETTINGS);
  }

  #leaveSegment(): void {
    const segment = this.#segment;
    if (segment === null) return;
    try {
      segment.walCheckpoint();
    } catch {
      // Readers may still stand in the WAL, or the disk is full: what it holds is durable there, and read from there.
    } finally {
      segment.close();
    }
  }

  #open(): { segment: SegmentWriter; state: SegmentState } {
    if (this.#segment === null || this.#state === null) throw new Error("the log writer is closed");
    return { segment: this.#segment, state: this.#state };
  }
}

/** Creates a segment with its first records, or leaves nothing behind: a file without state would split the one before. */
function beginSegment(
  path: string,
  first: SegmentState,
  records: readonly AppendRecord[],
): { segment: SegmentWriter; state: SegmentState } {
  let segment: SegmentWriter | null = null;
  try {
    segment = openSegmentWriter(path);
    failpoint("log-rotate-mid");
    const state = segment.append(first, records);
    fsyncFolder(dirname(path));
    failpoint("log-rotate-after");
    return { segment, state };
  } catch (error) {
    segment?.close();
    removeUnfinished(path);
    throw error;
  }
}

function addRecords(counters: IngestCounters, records: readonly AppendRecord[]): IngestCounters {
  return {
    ...counters,
    appended: counters.appended + records.length,
    appendedBytes: records.reduce((sum, record) => sum + record.data.length, counters.appendedBytes),
  };
}

function tailLostNote(range: { readonly fromOffset: Offset; readonly toOffset: Offset }): NoteBody {
  return { note: "log-tail-lost", fromOffset: range.fromOffset, toOffset: range.toOffset };
}
