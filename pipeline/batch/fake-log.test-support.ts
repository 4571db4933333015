import { NO_OFFSET, type Offset, offsetAfter, type SourceName, toOffset } from "#storage/model/brand.ts";
import type { LogAccount, LogRead, LogReader } from "#storage/model/log.ts";
import { type AppendRecord, type LogRecord, NO_INGEST_COUNTERS } from "#storage/model/record.ts";
import { DEFAULT_RESULT_SETTINGS, type ResultSettings } from "#storage/model/settings.ts";

const NOW_MS = 1_796_040_000_000;

/** A record with what a test does not care about filled in. */
export function logRecord(data: string | Uint8Array, change: Partial<AppendRecord> = {}): AppendRecord {
  return {
    kind: "event",
    stream: "message",
    sourceId: "",
    receivedTimeMs: NOW_MS,
    serverOffsetMs: null,
    data: typeof data === "string" ? new TextEncoder().encode(data) : data,
    detail: null,
    ...change,
  };
}

/** A settings record with these changes over the defaults. */
export function settingsRecordOf(change: Partial<ResultSettings>): AppendRecord {
  const body = JSON.stringify({ ...DEFAULT_RESULT_SETTINGS, ...change });
  return logRecord(body, { kind: "settings", stream: "" });
}

/** A log in memory; null entries are offsets that cannot be read. */
export class FakeLog implements LogReader {
  readonly source: SourceName;
  readonly entries: (AppendRecord | null)[];

  constructor(source: SourceName, entries: (AppendRecord | null)[]) {
    this.source = source;
    this.entries = entries;
  }

  head(): Offset {
    return toOffset(this.entries.length);
  }

  tail(): Offset {
    return toOffset(1);
  }

  read(from: Offset, maxRecords: number): LogRead {
    const to = toOffset(Math.max(from - 1, Math.min(this.entries.length, from + maxRecords - 1)));
    const records: LogRecord[] = [];
    const unreadable: { fromOffset: Offset; toOffset: Offset; reason: string }[] = [];
    for (let at = from; at <= to; at = offsetAfter(at)) {
      const entry = this.entries[at - 1] ?? null;
      if (entry === null) unreadable.push({ fromOffset: at, toOffset: at, reason: "test" });
      else records.push({ ...entry, offset: at });
    }
    return { fromOffset: from, toOffset: to, records, unreadable };
  }

  settingsAt(): null {
    return null;
  }

  account(): LogAccount {
    const records = this.entries.filter((entry) => entry !== null);
    return {
      head: this.head(),
      counters: {
        ...NO_INGEST_COUNTERS,
        appended: records.length,
        appendedBytes: records.reduce((sum, { data }) => sum + data.length, 0),
      },
    };
  }

  segments(): readonly [] {
    return [];
  }

  close(): void {
    this.entries.length = NO_OFFSET;
  }
}
