import type { CellValue } from "#storage/model/table.ts";
import type { LiveRow } from "../protocol/query-messages.ts";

/** Columns of `silver.changes` that a live row is made of, in the order {@link toLiveRow} takes them. */
export const LIVE_ROW_COLUMNS = [
  "log_offset",
  "event_time",
  "received_time",
  "type",
  "wiki",
  "namespace",
  "title",
  "user",
  "user_kind",
  "bot",
  "minor",
  "bytes_changed",
  "comment",
  "late",
  "lateness_ms",
  "uri",
] as const;

/** The list's row of some silver cells. Throws a TypeError when a cell has another type than its column. */
export function toLiveRow(cells: readonly CellValue[]): LiveRow {
  const cell = (name: (typeof LIVE_ROW_COLUMNS)[number]): CellValue =>
    cells[LIVE_ROW_COLUMNS.indexOf(name)] ?? null;
  return {
    logOffset: number(cell("log_offset")),
    eventTimeMs: milliseconds(cell("event_time")),
    receivedTimeMs: milliseconds(cell("received_time")),
    type: text(cell("type")),
    wiki: text(cell("wiki")),
    namespace: orNull(cell("namespace"), number),
    title: orNull(cell("title"), text),
    user: orNull(cell("user"), text),
    userKind: text(cell("user_kind")),
    bot: flag(cell("bot")),
    minor: orNull(cell("minor"), flag),
    bytesChanged: orNull(cell("bytes_changed"), number),
    comment: orNull(cell("comment"), text),
    late: flag(cell("late")),
    latenessMs: number(cell("lateness_ms")),
    uri: orNull(cell("uri"), text),
  };
}

function orNull<T>(cell: CellValue, read: (cell: CellValue) => T): T | null {
  return cell === null ? null : read(cell);
}

function number(cell: CellValue): number {
  if (typeof cell === "number") return cell;
  throw new TypeError(`a number was expected, not ${typeof cell}`);
}

function milliseconds(cell: CellValue): number {
  return Math.floor(number(cell) / 1000);
}

function text(cell: CellValue): string {
  if (typeof cell === "string") return cell;
  throw new TypeError(`text was expected, not ${typeof cell}`);
}

function flag(cell: CellValue): boolean {
  if (typeof cell === "boolean") return cell;
  throw new TypeError(`a boolean was expected, not ${typeof cell}`);
}
