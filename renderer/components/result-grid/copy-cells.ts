import type { ResultColumn, WireCell } from "#pipeline/protocol/query-messages.ts";

/** Formats that cells are copied in. */
export const COPY_FORMATS = ["tsv", "csv", "json"] as const;

/** One of them. */
export type CopyFormat = (typeof COPY_FORMATS)[number];

/** How cells are written. */
export type CopyOptions = {
  readonly format: CopyFormat;
  /** Names of the columns in a first line (JSON has them anyway). */
  readonly hasNames: boolean;
  /** An apostrophe before texts that a spreadsheet would run as a formula. */
  readonly isForSpreadsheet: boolean;
};

/** A rectangle of cells; rows hold only the cells of these columns. */
export type CopiedCells = {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly WireCell[])[];
};

/** A text that a spreadsheet takes for a formula; numbers are none. */
const FORMULA = /^[=+\-@\t\r]/u;
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/u;

/** Cells as text for the clipboard. A missing value is nothing, an empty text is `""`: read back they differ. */
export function copyCells(cells: CopiedCells, options: CopyOptions): string {
  if (options.format === "json") return toJson(cells);
  const separator = options.format === "csv" ? "," : "\t";
  const names = options.hasNames ? [cells.columns.map(({ name }) => quoted(name, separator))] : [];
  const rows = cells.rows.map((row) => row.map((cell) => field(cell, separator, options)));
  // A line end behind the last row, as files have it, would be an empty row to a spreadsheet.
  return [...names, ...rows].map((line) => line.join(separator)).join("\n");
}

/** One cell alone: its text as it is, for a text field. */
export function copyCell(cell: WireCell): string {
  return cell === null ? "" : String(cell);
}

function field(cell: WireCell, separator: string, { isForSpreadsheet }: CopyOptions): string {
  if (cell === null) return "";
  const text = String(cell);
  const isFormula = typeof cell === "string" && FORMULA.test(text) && !PLAIN_NUMBER.test(text);
  return quoted(isForSpreadsheet && isFormula ? `'${text}` : text, separator);
}

function quoted(text: string, separator: string): string {
  const needsQuotes =
    text === "" || text.includes(separator) || /["\r\n\t]|^ | $/u.test(text) || text !== text.trim();
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Objects with the columns' names; of two columns with one name the second is `name_1`, as DuckDB has it. */
function toJson({ columns, rows }: CopiedCells): string {
  const names = uniqueNames(columns);
  const objects = rows.map((row) => {
    const fields = names.map((name, at) => `${JSON.stringify(name)}: ${JSON.stringify(row[at] ?? null)}`);
    return `  {${fields.join(", ")}}`;
  });
  return objects.length === 0 ? "[]" : `[\n${objects.join(",\n")}\n]`;
}

function uniqueNames(columns: readonly ResultColumn[]): readonly string[] {
  const taken = new Set<string>();
  return columns.map(({ name }) => {
    let unique = name;
    for (let n = 1; taken.has(unique); n += 1) unique = `${name}_${n}`;
    taken.add(unique);
    return unique;
  });
}
