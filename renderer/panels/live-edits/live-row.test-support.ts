import type { LiveRow } from "#pipeline/protocol/query-messages.ts";

/** An ordinary edit at `logOffset`. */
export function exampleRow(logOffset: number, more: Partial<LiveRow> = {}): LiveRow {
  const eventTimeMs = Date.UTC(2026, 10, 30, 12) + logOffset * 100;
  return {
    logOffset,
    eventTimeMs,
    receivedTimeMs: eventTimeMs + 900,
    type: "edit",
    wiki: "enwiki",
    namespace: 0,
    title: `Page ${logOffset}`,
    user: "Marbletan",
    userKind: "named",
    bot: false,
    minor: false,
    bytesChanged: 12,
    comment: "typo",
    late: false,
    latenessMs: 0,
    uri: `https://en.wikipedia.org/wiki/Page_${logOffset}`,
    ...more,
  };
}

/** A lake in which every offset from 1 to `checkpoint` is a row, but for multiples of ten (dead letters, say). */
export function exampleRows(fromOffset: number, toOffset: number): LiveRow[] {
  const rows: LiveRow[] = [];
  for (let at = Math.max(1, fromOffset); at <= toOffset; at += 1)
    if (at % 10 !== 0) rows.push(exampleRow(at));
  return rows;
}

/** How many rows {@link exampleRows} has up to `offset`. */
export function exampleRowCount(offset: number): number {
  return offset - Math.floor(offset / 10);
}
