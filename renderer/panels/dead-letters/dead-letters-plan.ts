import { quoteText, readPage } from "../record-room/read-page.ts";
import { ROOM_ROWS, type RoomPlan } from "../record-room/record-room.ts";

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

function rowsStatement(source: string, group: string | null): string {
  return `SELECT log_offset::DOUBLE AS log_offset, epoch_ms(received_time)::DOUBLE AS received_ms, rule_id, reason_code,
  size_bytes::DOUBLE AS size_bytes, left(raw, ${HEAD_CHARACTERS}) AS head
FROM dead_letters WHERE source = ${quoteText(source)}${whereGroup(group)} ORDER BY log_offset DESC LIMIT ${ROOM_ROWS}`;
}

function groupsStatement(source: string): string {
  return `SELECT rule_id, reason_code, count(*)::DOUBLE AS letters, epoch_ms(max(received_time))::DOUBLE AS last_ms
FROM dead_letters WHERE source = ${quoteText(source)} GROUP BY rule_id, reason_code ORDER BY letters DESC, rule_id, reason_code`;
}

/** What Dead letters reads. */
export const deadLettersPlan: RoomPlan<DeadLetterRow, DeadLetterFacts> = {
  panel: "dead-letters",
  read: async (ask, source, group) => {
    const groups = readPage(await ask(groupsStatement(source)), (cells) => {
      const rule = cells.text("rule_id") ?? "";
      const reason = cells.text("reason_code") ?? "";
      const key = `${rule}${GROUP_SEPARATOR}${reason}`;
      return { key, rule, reason, count: cells.number("letters"), lastReceivedMs: cells.number("last_ms") };
    });
    const rows = readPage(await ask(rowsStatement(source, group)), (cells) => ({
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
