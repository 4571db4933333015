import { extname, resolve } from "node:path";
import type { QueryProgress, QueryResponse } from "#pipeline/protocol/query-messages.ts";
import { askOnce } from "../ask-query-worker.ts";
import { type Command, type CommandInput, EXIT, type ExitCode, type Output } from "../command.ts";
import { dataFolderFlag } from "../data-flag.ts";
import { parseWhole, textFlag, usage } from "../flags.ts";
import { readVersion } from "../run-options.ts";
import { formatCount } from "../../headless/terminal-text.ts";

type Format = "parquet" | "csv" | "ndjson";

const FORMATS: Readonly<Record<string, Format>> = {
  ".parquet": "parquet",
  ".csv": "csv",
  ".ndjson": "ndjson",
};

/** Words that name several tables; they are exported into a folder. */
const SETS = new Set(["gold", "all"]);

/** `highwater export`: a table or a statement's result into one file, or several tables into a folder, as of one snapshot. */
export const exportCommand: Command = {
  name: "export",
  summary: "write tables or a result to Parquet, CSV or NDJSON, with a manifest",
  usage:
    'highwater export gold|all|TABLE|--sql "SELECT …" --to FOLDER|FILE.parquet|csv|ndjson [--format F] [--as-of N] [--data DIR]',
  examples: [
    "highwater export gold --to report",
    "highwater export gold.edits_per_minute --to edits.parquet",
    'highwater export --sql "FROM silver.changes WHERE late" --to late.csv --as-of 120',
  ],
  options: {
    sql: { type: "string" },
    to: { type: "string" },
    format: { type: "string" },
    "as-of": { type: "string" },
    source: { type: "string" },
  },
  flagHelp: {
    sql: "a read-only statement instead of a table",
    to: "the file, whose ending says the format; for gold and all: the folder to make",
    format: "format of the files in a folder: parquet, csv or ndjson; default parquet",
    "as-of": "snapshot id; default: the latest",
    source: "with the default data folder: live, demo or file; default live",
  },
  takesWords: true,
  run: async (input) => {
    const [word, ...others] = input.words;
    const isSet = word !== undefined && SETS.has(word);
    if ((textFlag(input.flags, "sql") === null) === (word === undefined) || others.length > 0)
      throw usage("give one table, gold, all, or a statement with --sql");
    return isSet ? exportSet(input, word === "gold" ? "gold" : "all") : exportFile(input, word ?? null);
  },
};

function common({ flags }: CommandInput) {
  const asOf = textFlag(flags, "as-of");
  return {
    asOf: asOf === null ? null : parseWhole("as-of", asOf, 0),
    writtenBy: `Highwater ${readVersion()}`,
  };
}

function showProgress(output: Output): (progress: QueryProgress) => void {
  return ({ done, what }) =>
    output.progress(`exporting ${what}${done === null ? "" : `, ${Math.floor(done * 100)} %`}`);
}

async function exportFile(input: CommandInput, table: string | null): Promise<ExitCode> {
  const { flags, output } = input;
  const to = textFlag(flags, "to");
  const format = FORMATS[extname(to ?? "").toLowerCase()];
  if (to === null || format === undefined)
    throw usage("--to names a file ending in .parquet, .csv or .ndjson");
  if (textFlag(flags, "format") !== null)
    throw usage("--format is for a folder; a file's ending says its format");
  const sql = textFlag(flags, "sql");
  const request = { ask: "export", sql, table, path: resolve(to), format, ...common(input) } as const;
  const response = await askOnce(dataFolderFlag(flags, "live"), request, showProgress(output));
  if (response.ask !== "export") return EXIT.cannotTell;
  const { ask: _, path, rows, openRows, bytes, snapshotId, sha256, manifestPath } = response;
  output.line(
    `${path}: ${formatCount(rows)} rows, ${formatCount(bytes)} bytes, snapshot ${snapshotId}, sha256 ${sha256}`,
  );
  tellOpen(output, openRows ?? 0);
  output.json({ path, manifestPath, format, rows, openRows, bytes, snapshotId, sha256 });
  return EXIT.ok;
}

async function exportSet(input: CommandInput, tables: "gold" | "all"): Promise<ExitCode> {
  const { flags, output } = input;
  const to = textFlag(flags, "to");
  const format = FORMATS[`.${textFlag(flags, "format") ?? "parquet"}`];
  if (to === null) throw usage("--to names the folder to make");
  if (format === undefined) throw usage("--format is parquet, csv or ndjson");
  const request = { ask: "export-set", tables, folder: resolve(to), format, ...common(input) } as const;
  const response = await askOnce(dataFolderFlag(flags, "live"), request, showProgress(output));
  if (response.ask !== "export-set") return EXIT.cannotTell;
  tellSet(output, response);
  const { ask: _, ...result } = response;
  output.json({ ...result, format });
  return EXIT.ok;
}

function tellSet(output: Output, set: Extract<QueryResponse, { readonly ask: "export-set" }>): void {
  const { folder, files, snapshotId } = set;
  for (const { file, rows, bytes } of files)
    output.line(`  ${file}: ${formatCount(rows)} rows, ${formatCount(bytes)} bytes`);
  output.line(
    `${folder}: ${files.length} tables of snapshot ${snapshotId}; their sha256 stand in manifest.json`,
  );
  tellOpen(
    output,
    files.reduce((sum, { openRows }) => sum + (openRows ?? 0), 0),
  );
}

function tellOpen(output: Output, openRows: number): void {
  if (openRows === 0) return;
  output.line(
    `${formatCount(openRows)} of them are open (column state): their windows wait for a newer event, and they may still change`,
  );
}
