import { askOnce } from "../ask-query-worker.ts";
import { type Command, EXIT } from "../command.ts";
import { dataFolderFlag } from "../data-flag.ts";
import { parseWhole, textFlag } from "../flags.ts";
import { formatTable } from "../table-text.ts";

/** `highwater tables`: every table with its size at a snapshot. */
export const tablesCommand: Command = {
  name: "tables",
  summary: "list the tables with rows, files and columns",
  usage: "highwater tables [--as-of N] [--data DIR] [--json]",
  examples: ["highwater tables", "highwater tables --as-of 120 --json"],
  options: { "as-of": { type: "string" }, source: { type: "string" } },
  flagHelp: {
    "as-of": "snapshot id; default: the latest",
    source: "with the default data folder: live, demo or file; default live",
  },
  run: async ({ flags, output }) => {
    const asOf = textFlag(flags, "as-of");
    const response = await askOnce(dataFolderFlag(flags, "live"), {
      ask: "tables",
      asOf: asOf === null ? null : parseWhole("as-of", asOf, 0),
    });
    if (response.ask !== "tables") return EXIT.cannotTell;
    const rows = response.tables.map((table) => [
      `${table.schema}.${table.name}`,
      table.rows,
      table.hotRows,
      table.kind === "window" ? table.openRows : "",
      table.files,
      table.fileBytes,
      table.columns.length,
    ]);
    output.line(formatTable(["table", "rows", "hot rows", "open", "files", "file bytes", "columns"], rows));
    output.line(`snapshot ${response.snapshotId}`);
    if (response.tables.some(({ openRows }) => openRows > 0))
      output.line("open: rows of windows that wait for a newer event and may still change");
    output.json({ snapshotId: response.snapshotId, tables: response.tables });
    return EXIT.ok;
  },
};
