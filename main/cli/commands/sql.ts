import { readFileSync } from "node:fs";
import { AppError, type ErrorDetails } from "#storage/model/errors.ts";
import { askOnce } from "../ask-query-worker.ts";
import { type Command, EXIT } from "../command.ts";
import { dataFolderFlag } from "../data-flag.ts";
import { parseWhole, textFlag, usage } from "../flags.ts";
import { formatTable } from "../table-text.ts";

/** Rows shown without --limit; the total is always told. */
const DEFAULT_LIMIT = 1_000;
/** The query worker gives no more rows in one answer; an export has no such limit. */
const MAX_LIMIT = 100_000;

/** `highwater sql`: one read-only statement on one snapshot, also while another process is writing. */
export const sqlCommand: Command = {
  name: "sql",
  summary: "ask the lake in SQL, on the latest or an older snapshot",
  usage: 'highwater sql "SELECT …" [--as-of N] [--limit N] [--data DIR] [--json]',
  examples: [
    'highwater sql "SELECT wiki, sum(edits) AS edits FROM gold.edits_per_minute GROUP BY wiki ORDER BY edits DESC LIMIT 10"',
    'highwater sql "FROM gold.top_pages_5min WHERE rank = 1" --as-of 120',
    "echo 'SELECT 1' | highwater sql -",
  ],
  options: { "as-of": { type: "string" }, limit: { type: "string" }, source: { type: "string" } },
  flagHelp: {
    "as-of": "snapshot id; default: the latest",
    limit: `rows that come back at most; default ${DEFAULT_LIMIT} (the total is told)`,
    source: "with the default data folder: live, demo or file; default live",
  },
  takesWords: true,
  run: async ({ flags, words, output }) => {
    const text = readStatement(words);
    const asOf = textFlag(flags, "as-of");
    const limit = textFlag(flags, "limit");
    const response = await askOnce(dataFolderFlag(flags, "live"), {
      ask: "sql",
      text,
      asOf: asOf === null ? null : parseWhole("as-of", asOf, 0),
      limit: limit === null ? DEFAULT_LIMIT : parseWhole("limit", limit, 1, MAX_LIMIT),
    }).catch((error: unknown) => {
      const place = error instanceof AppError ? showPlace(text, error.details) : "";
      if (place !== "") output.notice(place);
      throw error;
    });
    if (response.ask !== "sql") return EXIT.cannotTell;
    const { page, total, truncated, snapshotId, elapsedMs } = response;
    output.line(
      formatTable(
        page.columns.map(({ name }) => name),
        page.rows,
      ),
    );
    const shown = truncated ? `first ${page.rows.length} of ${total} rows` : `${total} rows`;
    output.line(`${shown} · snapshot ${snapshotId} · ${Math.round(elapsedMs)} ms`);
    output.json({ snapshotId, total, truncated, elapsedMs, columns: page.columns, rows: page.rows });
    return EXIT.ok;
  },
};

/** Characters of a line shown on each side of the place. */
const EXCERPT_CHARS = 60;

/** The line that an error means with a mark under its place; empty where it names none. */
function showPlace(text: string, { line, column }: ErrorDetails): string {
  if (typeof line !== "number" || typeof column !== "number") return "";
  const whole = text.split(/\r\n|\r|\n/u)[line - 1] ?? "";
  const from = Math.max(0, column - 1 - EXCERPT_CHARS);
  const before = whole.slice(from, column - 1);
  // A tab stays one under itself; letters of another width move the mark, so the column is told as well.
  const blanks = before.replaceAll(/[^\t]/gu, " ");
  const head = `line ${line}, column ${column}: `;
  return `${head}${before}${whole.slice(column - 1, column - 1 + EXCERPT_CHARS)}\n${" ".repeat(head.length)}${blanks}^`;
}

function readStatement(words: readonly string[]): string {
  if (words.length === 0)
    throw usage(
      'give the statement in quotes: highwater sql "SELECT …", or - to read it from standard input',
    );
  if (words.length > 1) throw usage("give the whole statement as one word, in quotes");
  return words[0] === "-" ? readFileSync(0, "utf8") : (words[0] ?? "");
}
