import type { GoldInput } from "../gold/gold-table.ts";
import {
  numberCell,
  optionalNumberCell,
  optionalTextCell,
  type OrderedRow,
  textCell,
} from "./rows-in-order.ts";

/** Columns of silver that gold is a function of, in the order that {@link toGoldInput} reads. */
export const GOLD_COLUMNS: readonly string[] = [
  "record_kind",
  "event_time",
  "watermark",
  "lateness_ms",
  "type",
  "wiki",
  "title",
  "user",
  "bot",
  "bytes_changed",
];

/** A silver row as gold sees it. */
export function toGoldInput({ offset, cells }: OrderedRow): GoldInput {
  const kind = textCell(cells[0]);
  return {
    logOffset: offset,
    eventTimeUs: numberCell(cells[1]),
    watermarkUs: optionalNumberCell(cells[2]),
    latenessMs: numberCell(cells[3]),
    type: textCell(cells[4]),
    wiki: textCell(cells[5]),
    title: optionalTextCell(cells[6]),
    user: optionalTextCell(cells[7]),
    bot: cells[8] === true,
    bytesChanged: optionalNumberCell(cells[9]),
    amends: kind === "redrive" || kind === "repair",
  };
}
