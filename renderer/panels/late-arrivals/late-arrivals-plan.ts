import { quoteText, readPage } from "../record-room/read-page.ts";
import type { GridColumn, Sort } from "#renderer/components/row-grid/columns.ts";
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

/** Columns of the room, in the order of its cells. */
const COLUMNS: readonly GridColumn[] = [
  { id: "event", label: "event", hint: "event time", track: "68px", minPx: 48, isSortable: true },
  { id: "received", label: "received", hint: "received time", track: "72px", minPx: 48, isSortable: true },
  {
    id: "watermark",
    label: "watermark",
    hint: "the watermark at the row's own offset, which had passed its event time",
    track: "80px",
    minPx: 48,
  },
  {
    id: "late-by",
    label: "late by",
    hint: "watermark − event time",
    track: "84px",
    minPx: 56,
    isSortable: true,
  },
  { id: "wiki", label: "wiki", track: "minmax(64px, 112px)", minPx: 48, isSortable: true },
  { id: "title", label: "title", track: "minmax(120px, 3fr)", minPx: 96 },
  { id: "user", label: "user", track: "minmax(72px, 1.2fr)", minPx: 56 },
];

/** What each sortable column is ordered by; rows that are equal in it come newest first. */
const ORDERS: Readonly<Record<string, string>> = {
  event: "event_time",
  received: "log_offset",
  "late-by": "late_by_ms",
  wiki: "wiki",
};

function orderBy({ column, direction }: Sort): string {
  const way = direction === "descending" ? "DESC" : "ASC";
  return `${ORDERS[column] ?? "log_offset"} ${way}, log_offset DESC`;
}

/** Numbers are cast to doubles, because whole numbers of 64 bits come as text. */
function rowsStatement(source: string, sort: Sort): string {
  return `SELECT log_offset::DOUBLE AS log_offset, epoch_ms(event_time)::DOUBLE AS event_ms,
  epoch_ms(received_time)::DOUBLE AS received_ms, epoch_ms(watermark)::DOUBLE AS watermark_ms,
  late_by_ms::DOUBLE AS late_by_ms, wiki, type, title, "user" AS user_name
FROM late_arrivals WHERE source = ${quoteText(source)} ORDER BY ${orderBy(sort)} LIMIT ${ROOM_ROWS}`;
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
  columns: COLUMNS,
  firstSort: { column: "received", direction: "descending" },
  read: async (ask, { source, sort }) => {
    const rows = readPage(await ask(rowsStatement(source, sort)), (cells) => ({
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
