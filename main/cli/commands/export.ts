import { extname, resolve } from "node:path";
import { askOnce } from "../ask-query-worker.ts";
import { type Command, EXIT } from "../command.ts";
import { dataFolderFlag } from "../data-flag.ts";
import { parseWhole, textFlag, usage } from "../flags.ts";
import { formatCount } from "../../headless/terminal-text.ts";

const FORMATS: Readonly<Record<string, "parquet" | "csv" | "ndjson">> = {
  ".parquet": "parquet",
  ".csv": "csv",
  ".ndjson": "ndjson",
};

/** `highwater export`: a table or a statement's result into one file, as of one snapshot. */
export const exportCommand: Command = {
  name: "export",
  summary: "write a table or a result to Parquet, CSV or NDJSON",
  usage: 'highwater export TABLE|--sql "SELECT …" --to FILE.parquet|csv|ndjson [--as-of N] [--data DIR]',
  examples: [
    "highwater export gold.edits_per_minute --to edits.parquet",
    'highwater export --sql "FROM silver.changes WHERE late" --to late.csv --as-of 120',
  ],
  options: {
    sql: { type: "string" },
    to: { type: "string" },
    "as-of": { type: "string" },
    source: { type: "string" },
  },
  flagHelp: {
    sql: "a read-only statement instead of a table",
    to: "the file; its ending says the format",
    "as-of": "snapshot id; default: the latest",
    source: "with the default data folder: live, demo or file; default live",
  },
  takesWords: true,
  run: async ({ flags, words, output }) => {
    const sql = textFlag(flags, "sql");
    const table = words[0] ?? null;
    if ((sql === null) === (table === null) || words.length > 1)
      throw usage("give one table, or a statement with --sql");
    const to = textFlag(flags, "to");
    const format = FORMATS[extname(to ?? "").toLowerCase()];
    if (to === null || format === undefined)
      throw usage("--to names a file ending in .parquet, .csv or .ndjson");
    const asOf = textFlag(flags, "as-of");
    const response = await askOnce(dataFolderFlag(flags, "live"), {
      ask: "export",
      sql,
      table,
      asOf: asOf === null ? null : parseWhole("as-of", asOf, 0),
      path: resolve(to),
      format,
    });
    if (response.ask !== "export") return EXIT.cannotTell;
    const { path, rows, openRows, bytes, snapshotId, sha256 } = response;
    output.line(
      `${path}: ${formatCount(rows)} rows, ${formatCount(bytes)} bytes, snapshot ${snapshotId}, sha256 ${sha256}`,
    );
    if (openRows !== null && openRows > 0)
      output.line(
        `${formatCount(openRows)} of them are open (column state): their windows wait for a newer event, and they may still change`,
      );
    output.json({ path, format, rows, openRows, bytes, snapshotId, sha256 });
    return EXIT.ok;
  },
};
