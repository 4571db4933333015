import { type Limit, type Row, shortfall, verdictOf } from "./figure.ts";

const HEADER = ["figure", "reached", "limit", "ratio", "baseline"] as const;

/** The table as text, one line a row, notes below it. */
export function formatTable(rows: readonly Row[]): string {
  const notes: string[] = [];
  const cells = rows.map((row) => cellsOf(row, notes));
  const widths = HEADER.map((title, column) =>
    Math.max(title.length, ...cells.map((line) => line[column]?.length ?? 0)),
  );
  const format = (line: readonly string[]): string =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(" | ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("-|-");
  return [format(HEADER), rule, ...cells.map(format), "", ...notes].join("\n");
}

function cellsOf(row: Row, notes: string[]): readonly string[] {
  const { figure, limit, outcome } = row;
  const bound = `${limit.kind === "at-least" ? "≥" : "≤"} ${formatValue(limit, limit.value)}`;
  if (outcome.kind === "not-measured") return [figure, outcome.reason, bound, "–", ""];
  if (outcome.kind === "failed") return [figure, "failed", bound, "failed", outcome.error.slice(0, 120)];
  let mark = "";
  if (outcome.note !== undefined) {
    notes.push(`(${notes.length + 1}) ${outcome.note}`);
    mark = ` (${notes.length})`;
  }
  const factor = shortfall(limit, outcome.value);
  const verdict = verdictOf(row);
  const ratio = verdict === "ok" ? "ok" : `${verdict} ×${factor.toFixed(2)}`;
  return [figure, formatValue(limit, outcome.value) + mark, bound, ratio, outcome.baseline];
}

/** A value in its unit, with as many digits as the measurement deserves. */
export function formatValue({ unit }: Limit, value: number): string {
  switch (unit) {
    case "percent":
      return `${value.toFixed(1)} %`;
    case "factor":
      return value.toFixed(2);
    case "ms":
      return `${Math.round(value)} ms`;
    case "megabytes":
      return `${value.toFixed(1)} MB`;
  }
}
