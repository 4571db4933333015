import type { LiveRow } from "#pipeline/protocol/query-messages.ts";

/** Lower-case text of a row; kept as long as the row is, so that a filter costs nothing for rows seen before. */
const haystacks = new WeakMap<LiveRow, string>();

function haystackOf(row: LiveRow): string {
  const known = haystacks.get(row);
  if (known !== undefined) return known;
  const marks = [row.bot ? "bot" : "", row.minor === true ? "minor" : "", row.late ? "late" : ""];
  const fields = [row.title ?? "", row.user ?? "", row.wiki, row.type, row.comment ?? "", ...marks];
  const text = fields.join("\n").toLowerCase();
  haystacks.set(row, text);
  return text;
}

/** The rows that contain every word of `filter` in title, user, wiki, kind, comment or marks; a leading `-` excludes a word. */
export function filterRows(rows: readonly LiveRow[], filter: string): readonly LiveRow[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "" && word !== "-");
  if (words.length === 0) return rows;
  return rows.filter((row) => words.every((word) => matches(haystackOf(row), word)));
}

function matches(haystack: string, word: string): boolean {
  return word.startsWith("-") ? !haystack.includes(word.slice(1)) : haystack.includes(word);
}
