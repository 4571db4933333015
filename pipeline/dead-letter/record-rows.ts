import type { LogRecord } from "#storage/model/record.ts";
import type { Change, Decoded, Placement, StoredText, Verdict } from "../protocol/change.ts";
import { appendRow, type TableRows } from "../protocol/table-rows.ts";
import type { DiscardReason } from "./record-tables.ts";

type Rejection = Extract<Verdict, { valid: false }>;

/** Length of the whole frame: an oversized record keeps only its head, its detail says how long it was. */
function sizeOf(record: LogRecord): number {
  if (record.kind !== "oversized" || record.detail === null) return record.data.byteLength;
  const length = /"lengthBytes":(\d+)/.exec(record.detail)?.[1];
  return length === undefined ? record.data.byteLength : Number(length);
}

/** Appends a record set aside by validation, with rule, reason, trace and its bytes. */
export function appendDeadLetter(
  rows: TableRows,
  source: string,
  record: LogRecord,
  rejection: Rejection,
  decoded: Decoded,
  sha256: string,
): void {
  appendRow(rows, [
    source,
    record.offset,
    record.kind,
    record.stream,
    record.sourceId,
    rejection.ruleId,
    rejection.reasonCode,
    rejection.trace,
    rejection.id,
    rejection.eventTimeUs,
    record.receivedTimeMs * 1_000,
    sizeOf(record),
    sha256,
    decoded.stored.text,
    decoded.stored.rawBytes,
  ]);
}

/** Appends a record that ends in no other table. */
export function appendDiscard(
  rows: TableRows,
  source: string,
  record: LogRecord,
  reason: Exclude<DiscardReason, "unreadable">,
  detail: string,
  id: string | null,
  sha256: string,
): void {
  appendRow(rows, [
    source,
    record.offset,
    record.kind,
    record.stream,
    reason,
    detail,
    id,
    record.receivedTimeMs * 1_000,
    sha256,
  ]);
}

/** Appends an offset whose record the log could not give back: nothing is known of it but that it was. */
export function appendUnreadable(rows: TableRows, source: string, offset: number, detail: string): void {
  appendRow(rows, [source, offset, "event", "", "unreadable", detail, null, null, null]);
}

/** Appends a settings or note record. */
export function appendControl(
  rows: TableRows,
  source: string,
  record: LogRecord,
  body: string | Uint8Array,
  sha256: string,
): void {
  appendRow(rows, [source, record.offset, record.kind, record.receivedTimeMs * 1_000, body, sha256]);
}

/** Appends a bronze row that was late at its own offset, with its payload. */
export function appendLateArrival(
  rows: TableRows,
  source: string,
  record: LogRecord,
  change: Change,
  placement: Placement,
  stored: StoredText,
): void {
  const { watermarkUs } = placement;
  if (watermarkUs === null) return; // nothing is late before the first watermark
  appendRow(rows, [
    source,
    record.offset,
    change.id,
    change.eventTimeUs,
    record.receivedTimeMs * 1_000,
    watermarkUs,
    Math.ceil((watermarkUs - change.eventTimeUs) / 1_000),
    change.wiki,
    change.type,
    change.title,
    change.user,
    stored.text,
    stored.rawBytes,
  ]);
}
