import type { LogRecord } from "#storage/model/record.ts";
import type { Change, StoredText } from "../protocol/change.ts";
import { appendRow, type TableRows } from "../protocol/table-rows.ts";

/** Appends an accepted record to bronze, as received: its text goes on as bytes wherever nothing had to change. */
export function appendBronzeRow(
  rows: TableRows,
  source: string,
  record: LogRecord,
  change: Change,
  stored: StoredText,
): void {
  appendRow(rows, [
    source,
    record.offset,
    record.kind,
    record.stream,
    record.sourceId,
    change.topic,
    change.partition,
    change.sourceOffset,
    change.id,
    change.eventTimeUs,
    record.receivedTimeMs * 1_000,
    record.serverOffsetMs,
    stored.text,
    stored.rawBytes,
  ]);
}
