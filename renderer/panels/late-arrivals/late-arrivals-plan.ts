import { quoteText, readPage } from "../record-room/read-page.ts";
import { ROOM_ROWS, type RoomPlan } from "../record-room/record-room.ts";

/** A late row as the list shows it; times in ms since 1970. */
export type LateRow = {
  readonly logOffset: number;
  readonly eventTimeMs: number;
  readonly receivedTimeMs: number;
  readonly watermarkMs: number;
  /** Watermark − event time, ms. */
  readonly lateByMs: number;
  readonly wiki: string;
  readonly type: string;
  readonly title: string | null;
  readonly user: string | null;
};

/** Rows of all windows whose lateness is from `fromMs` to below `toMs` (null: no end). */
export type LatenessBucket = { readonly fromMs: number; readonly toMs: number | null; readonly rows: number };

export type LateFacts = {
  readonly count: number;
  readonly largestMs: number | null;
  readonly buckets: readonly LatenessBucket[];
};

/** Numbers are cast to doubles, because whole numbers of 64 bits come as text. */
function rowsStatement(source: string): string {
  return `SELECT log_offset::DOUBLE AS log_offset, epoch_ms(event_time)::DOUBLE AS event_ms,
  epoch_ms(received_time)::DOUBLE AS received_ms, epoch_ms(watermark)::DOUBLE AS watermark_ms,
  late_by_ms::DOUBLE AS late_by_ms, wiki, type, title, "user" AS user_name
FROM late_arrivals WHERE source = ${quoteText(source)} ORDER BY log_offset DESC LIMIT ${ROOM_ROWS}`;
}

function countStatement(source: string): string {
  return `SELECT count(*)::DOUBLE AS late_rows, max(late_by_ms)::DOUBLE AS largest_ms
FROM late_arrivals WHERE source = ${quoteText(source)}`;
}

/** Windows of one length only: with several lengths each row is in one window of each. */
function bucketsStatement(source: string): string {
  const from = `gold.lateness_histogram WHERE source = ${quoteText(source)}`;
  return `SELECT bucket_from_ms::DOUBLE AS from_ms, max(bucket_to_ms)::DOUBLE AS to_ms, sum("rows")::DOUBLE AS row_count
FROM ${from} AND window_length_ms = (SELECT min(window_length_ms) FROM ${from})
GROUP BY bucket_from_ms ORDER BY bucket_from_ms`;
}

/** What Late arrivals reads. */
export const lateArrivalsPlan: RoomPlan<LateRow, LateFacts> = {
  panel: "late-arrivals",
  read: async (ask, source) => {
    const rows = readPage(await ask(rowsStatement(source)), (cells) => ({
      logOffset: cells.number("log_offset"),
      eventTimeMs: cells.number("event_ms"),
      receivedTimeMs: cells.number("received_ms"),
      watermarkMs: cells.number("watermark_ms"),
      lateByMs: cells.number("late_by_ms"),
      wiki: cells.text("wiki") ?? "",
      type: cells.text("type") ?? "",
      title: cells.text("title"),
      user: cells.text("user_name"),
    }));
    const [counted] = readPage(await ask(countStatement(source)), (cells) => ({
      count: cells.number("late_rows"),
      largestMs: cells.numberOrNull("largest_ms"),
    }));
    const buckets = readPage(await ask(bucketsStatement(source)), (cells) => ({
      fromMs: cells.number("from_ms"),
      toMs: cells.numberOrNull("to_ms"),
      rows: cells.number("row_count"),
    }));
    return { rows, facts: { count: counted?.count ?? 0, largestMs: counted?.largestMs ?? null, buckets } };
  },
  textOf: (row) => [row.title ?? "", row.user ?? "", row.wiki, row.type].join("\n"),
};
