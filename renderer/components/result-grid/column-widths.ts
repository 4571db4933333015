import type { ResultColumn, ResultPage, WireCell } from "#pipeline/protocol/query-messages.ts";

import { shortTypeName } from "./column-types.ts";

/** Widths of a column, px. */
export const COLUMN_WIDTH = { min: 40, max: 2_000, firstMax: 320, fitMax: 800 } as const;

/** Average of a digit or small letter in the grid's font, px; letters of double width count twice. */
const CHARACTER_PX = 7.3;
/** Padding on both sides, and room for the mark of the order in the head. */
const CELL_PADDING_PX = 18;
const HEAD_EXTRA_PX = 20;
/** Rows that are looked at; more would only cost time. */
const FIRST_SAMPLE_ROWS = 100;
const FIT_SAMPLE_ROWS = 2_000;
/** Characters of a cell that count. */
const MAX_CHARACTERS = 200;

function textPx(text: string): number {
  let characters = 0;
  for (const character of text.slice(0, MAX_CHARACTERS))
    characters += (character.codePointAt(0) ?? 0) > 0x1100 ? 2 : 1;
  return characters * CHARACTER_PX;
}

function cellPx(cell: WireCell): number {
  return textPx(cell === null ? "NULL" : String(cell));
}

function headPx({ name, type }: ResultColumn): number {
  // A long type (a struct's) may be cut; it stands in the tooltip.
  return textPx(name) + Math.min(textPx(shortTypeName(type)), 90) + HEAD_EXTRA_PX;
}

function widest(page: ResultPage, column: number, sampleRows: number): number {
  const definition = page.columns[column];
  let px = definition === undefined ? 0 : headPx(definition);
  for (const row of page.rows.slice(0, sampleRows)) px = Math.max(px, cellPx(row[column] ?? null));
  return Math.ceil(px) + CELL_PADDING_PX;
}

/** Width that shows a column's cells whole, as far as that is sensible. */
export function fittingWidth(page: ResultPage, column: number): number {
  return Math.min(COLUMN_WIDTH.fitMax, Math.max(COLUMN_WIDTH.min, widest(page, column, FIT_SAMPLE_ROWS)));
}

/** First widths of a page's columns; what the user set for a column of that name and type comes before. */
export function firstWidths(
  page: ResultPage,
  chosen: (column: ResultColumn) => number | undefined,
): readonly number[] {
  return page.columns.map(
    (column, at) => chosen(column) ?? Math.min(COLUMN_WIDTH.firstMax, widest(page, at, FIRST_SAMPLE_ROWS)),
  );
}

/** Name of a column's width in the window's memory. */
export function widthKey({ name, type }: ResultColumn): string {
  return `${name} ${type}`.slice(0, 200);
}
