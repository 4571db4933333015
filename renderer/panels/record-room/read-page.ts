import type { ResultPage, WireCell } from "#pipeline/protocol/query-messages.ts";

/** Reads cells of one row by the name of their column. */
export type CellReader = {
  /** The number of a cell; NaN where it holds none, so that a wrong column shows instead of reading as 0. */
  readonly number: (column: string) => number;
  readonly numberOrNull: (column: string) => number | null;
  /** Text of a cell; null stays null. */
  readonly text: (column: string) => string | null;
};

/** Reads each row of a page with `read`. Throws where a named column is not there: the statements are ours. */
export function readPage<Row>(page: ResultPage, read: (cells: CellReader) => Row): readonly Row[] {
  const places = new Map(page.columns.map(({ name }, at) => [name, at]));
  return page.rows.map((row) => read(readCells(row, places)));
}

function readCells(row: readonly WireCell[], places: ReadonlyMap<string, number>): CellReader {
  const cell = (column: string): WireCell => {
    const at = places.get(column);
    if (at === undefined) throw new Error(`the answer has no column ${column}`);
    return row[at] ?? null;
  };
  const numberOrNull = (column: string): number | null => {
    const value = cell(column);
    return value === null ? null : Number(value);
  };
  const text = (column: string): string | null => {
    const value = cell(column);
    return value === null ? null : String(value);
  };
  return { number: (column) => numberOrNull(column) ?? Number.NaN, numberOrNull, text };
}

/** A text as an SQL literal. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The rows whose text has every word of `filter`; a leading `-` excludes a word. */
export function filterByWords<Row>(
  rows: readonly Row[],
  filter: string,
  textOf: (row: Row) => string,
): readonly Row[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "" && word !== "-");
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase();
    return words.every((word) =>
      word.startsWith("-") ? !text.includes(word.slice(1)) : text.includes(word),
    );
  });
}
