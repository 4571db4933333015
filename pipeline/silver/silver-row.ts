import type { LogRecord } from "#storage/model/record.ts";
import type { Change, Placement } from "../protocol/change.ts";
import { appendRow, type TableRows } from "../protocol/table-rows.ts";
import { bytesChangedOf } from "./bytes-changed.ts";
import { userKindOf } from "./user-kind.ts";

/** Appends the typed row of an accepted record, with where it stood in time at its own offset. */
export function appendSilverRow(
  rows: TableRows,
  source: string,
  record: LogRecord,
  change: Change,
  placement: Placement,
): void {
  appendRow(rows, [
    source,
    record.offset,
    record.kind,
    change.id,
    change.eventTimeUs,
    record.receivedTimeMs * 1_000,
    placement.watermarkUs,
    placement.late,
    placement.latenessMs,
    change.type,
    change.wiki,
    change.namespace,
    change.title,
    change.user,
    userKindOf(change.user),
    change.bot,
    change.minor,
    change.patrolled,
    change.comment,
    change.length?.old ?? null,
    change.length?.new ?? null,
    bytesChangedOf(change),
    change.revision?.old ?? null,
    change.revision?.new ?? null,
    change.rcId,
    change.logId,
    change.logType,
    change.logAction,
    change.logParams === undefined ? null : JSON.stringify(change.logParams),
    change.logActionComment,
    change.uri,
    change.domain,
    change.serverName,
    change.schemaUri,
    change.metaDtUs,
  ]);
}
