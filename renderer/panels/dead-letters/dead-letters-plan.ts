import { quoteText, readPage } from "../record-room/read-page.ts";
import type { GridColumn, Sort } from "#renderer/components/row-grid/columns.ts";
import { ROOM_ROWS, type RoomPlan } from "../record-room/record-room.ts";
import { TREND_MINUTES, trendOf } from "./trend.ts";

/** A dead letter as the list shows it. */
export type DeadLetterRow = {
  readonly logOffset: number;
  readonly receivedTimeMs: number;
  readonly rule: string;
  readonly reason: string;
  readonly sizeBytes: number;
  /** The first characters of the record, as well-formed text. */
  readonly head: string;
};

/** Dead letters of one rule and reason. */
export type DeadLetterGroup = {
  readonly key: string;
  readonly rule: string;
  readonly reason: string;
  readonly count: number;
  readonly lastReceivedMs: number;
  /** Letters received in each of the last {@link TREND_MINUTES} minutes, oldest first; the last one is not over. */
  readonly perMinute: readonly number[];
};

export type DeadLetterFacts = {
  /** All dead letters, whatever group is chosen. */
  readonly count: number;
  readonly groups: readonly DeadLetterGroup[];
};

/** Characters of a record that its row shows. */
const HEAD_CHARACTERS = 240;
/** Stands in no rule and no reason code: both are words of our own code. */
const GROUP_SEPARATOR = " · ";

/** Where a group is, as SQL on rule_id and reason_code. */
function whereGroup(group: string | null): string {
  if (group === null) return "";
  return ` AND rule_id || ${quoteText(GROUP_SEPARATOR)} || reason_code = ${quoteText(group)}`;
}

/** Columns of the room, in the order of its cells. */
const COLUMNS: readonly GridColumn[] = [
  { id: "received", label: "received", hint: "received time", track: "72px", minPx: 48, isSortable: true },
  { id: "offset", label: "offset", hint: "place in the log", track: "72px", minPx: 56, align: "right" },
  { id: "reason", label: "reason", track: "minmax(120px, 1.4fr)", minPx: 72, isSortable: true },
  { id: "rule", label: "rule", track: "minmax(90px, 1fr)", minPx: 72, isSortable: true },
  {
    id: "size",
    label: "size",
    hint: "of the whole record",
    track: "72px",
    minPx: 56,
    align: "right",
    isSortable: true,
  },
  { id: "head", label: "first bytes", track: "minmax(140px, 3fr)", minPx: 96 },
];

/** What each sortable column is ordered by; rows that are equal in it come newest first. */
const ORDERS: Readonly<Record<string, string>> = {
  received: "log_offset",
  reason: "reason_code",
  rule: "rule_id",
  size: "size_bytes",
};

function orderBy({ column, direction }: Sort): string {
  const way = direction === "descending" ? "DESC" : "ASC";
  return `${ORDERS[column] ?? "log_offset"} ${way}, log_offset DESC`;
}

function rowsStatement(source: string, group: string | null, sort: Sort): string {
  return `SELECT log_offset::DOUBLE AS log_offset, epoch_ms(received_time)::DOUBLE AS received_ms, rule_id, reason_code,
  size_bytes::DOUBLE AS size_bytes, left(raw, ${HEAD_CHARACTERS}) AS head
FROM dead_letters WHERE source = ${quoteText(source)}${whereGroup(group)} ORDER BY ${orderBy(sort)} LIMIT ${ROOM_ROWS}`;
}

function groupsStatement(source: string): string {
  return `SELECT rule_id, reason_code, count(*)::DOUBLE AS letters, epoch_ms(max(received_time))::DOUBLE AS last_ms
FROM dead_letters WHERE source = ${quoteText(source)} GROUP BY rule_id, reason_code ORDER BY letters DESC, rule_id, reason_code`;
}

function trendStatement(source: string, nowMs: number): string {
  return `SELECT rule_id, reason_code, floor((${nowMs} - epoch_ms(received_time)) / 60000)::DOUBLE AS minutes_ago,
  count(*)::DOUBLE AS letters
FROM dead_letters WHERE source = ${quoteText(source)} AND epoch_ms(received_time) > ${nowMs - TREND_MINUTES * 60_000}
GROUP BY ALL`;
}

function keyOf(rule: string, reason: string): string {
  return `${rule}${GROUP_SEPARATOR}${reason}`;
}

/** What Dead letters reads. */
export const deadLettersPlan: RoomPlan<DeadLetterRow, DeadLetterFacts> = {
  panel: "dead-letters",
  columns: COLUMNS,
  firstSort: { column: "received", direction: "descending" },
  read: async (ask, { source, group, sort, nowMs }) => {
    const minutes = readPage(await ask(trendStatement(source, nowMs)), (cells) => ({
      key: keyOf(cells.text("rule_id") ?? "", cells.text("reason_code") ?? ""),
      minutesAgo: cells.number("minutes_ago"),
      count: cells.number("letters"),
    }));
    const groups = readPage(await ask(groupsStatement(source)), (cells) => {
      const rule = cells.text("rule_id") ?? "";
      const reason = cells.text("reason_code") ?? "";
      const key = keyOf(rule, reason);
      const perMinute = trendOf(minutes.filter((minute) => minute.key === key));
      return {
        key,
        rule,
        reason,
        perMinute,
        count: cells.number("letters"),
        lastReceivedMs: cells.number("last_ms"),
      };
    });
    const rows = readPage(await ask(rowsStatement(source, group, sort)), (cells) => ({
      logOffset: cells.number("log_offset"),
      receivedTimeMs: cells.number("received_ms"),
      rule: cells.text("rule_id") ?? "",
      reason: cells.text("reason_code") ?? "",
      sizeBytes: cells.number("size_bytes"),
      head: cells.text("head") ?? "",
    }));
    return { rows, facts: { count: groups.reduce((sum, { count }) => sum + count, 0), groups } };
  },
  textOf: (row) => [row.reason, row.rule, row.head].join("\n"),
};
