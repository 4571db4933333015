import type { WireCell } from "#pipeline/protocol/query-messages.ts";

/** Longest text shown in one cell of a table on a terminal; the whole value is in --json and in exports. */
const CELL_LIMIT = 60;

/**
 * Control and bidirectional marks as symbols: feed text must neither steer a terminal nor reorder a line.
 * (C0 as Unicode control pictures, the rest as escapes.)
 */
export function safeText(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** Rows as an aligned text table; NULL is told apart from empty text. */
export function formatTable(headers: readonly string[], rows: readonly (readonly WireCell[])[]): string {
  const cells = rows.map((row) => row.map(formatCell));
  const widths = headers.map((header, column) =>
    Math.max(header.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const isNumber = headers.map((_header, column) => rows.some((row) => typeof row[column] === "number"));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        isNumber[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return [line(headers), widths.map((width) => "─".repeat(width)).join("  "), ...cells.map(line)].join("\n");
}

function formatCell(cell: WireCell): string {
  if (cell === null) return "NULL";
  const text = safeText(String(cell));
  return text.length > CELL_LIMIT ? `${text.slice(0, CELL_LIMIT - 1)}…` : text;
}
