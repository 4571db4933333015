import type { LiveRow } from "#pipeline/protocol/query-messages.ts";
import type { BotFilter, LiveFilter } from "./live-filter.ts";

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

type Test = (row: LiveRow) => boolean;

/** The rows that have everything `filter` asks for; the same array where it asks for nothing. */
export function filterRows(rows: readonly LiveRow[], filter: LiveFilter): readonly LiveRow[] {
  const tests = testsOf(filter);
  return tests.length === 0 ? rows : rows.filter((row) => tests.every((test) => test(row)));
}

function testsOf({ text, wikis, types, namespaces, bots }: LiveFilter): readonly Test[] {
  return [
    botTest(bots),
    oneOf(wikis, (row) => row.wiki),
    oneOf(types, (row) => row.type),
    oneOf(namespaces, (row) => row.namespace),
    wordTest(text),
  ].filter((test) => test !== null);
}

function oneOf<T>(values: readonly T[], valueOf: (row: LiveRow) => T | null): Test | null {
  if (values.length === 0) return null;
  const wanted = new Set<T | null>(values);
  return (row) => wanted.has(valueOf(row));
}

function botTest(bots: BotFilter): Test | null {
  return bots === "all" ? null : (row) => row.bot === (bots === "only");
}

/** Every word must occur in title, user, wiki, type, comment or marks; a leading `-` excludes a word. */
function wordTest(text: string): Test | null {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "" && word !== "-");
  if (words.length === 0) return null;
  return (row) => words.every((word) => matches(haystackOf(row), word));
}

function matches(haystack: string, word: string): boolean {
  return word.startsWith("-") ? !haystack.includes(word.slice(1)) : haystack.includes(word);
}

/** How often each value occurs in `rows`, most first. */
export function countValues(
  rows: readonly LiveRow[],
  valueOf: (row: LiveRow) => string | null,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = valueOf(row);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return new Map([...counts].toSorted(([nameA, a], [nameB, b]) => b - a || (nameA < nameB ? -1 : 1)));
}
