import { askOnce } from "../ask-query-worker.ts";
import { type Command, EXIT } from "../command.ts";
import { dataFolderFlag } from "../data-flag.ts";
import { parseWhole, textFlag } from "../flags.ts";
import { formatTable } from "../table-text.ts";

/** Snapshots listed without --limit. */
const DEFAULT_LIMIT = 20;

/** `highwater snapshots`: the kept snapshots, newest first. */
export const snapshotsCommand: Command = {
  name: "snapshots",
  summary: "list the kept snapshots, newest first",
  usage: "highwater snapshots [--limit N] [--data DIR] [--json]",
  examples: ["highwater snapshots", "highwater snapshots --limit 5000 --json"],
  options: { limit: { type: "string" }, source: { type: "string" } },
  flagHelp: {
    limit: `how many; default ${DEFAULT_LIMIT}`,
    source: "with the default data folder: live, demo or file; default live",
  },
  run: async ({ flags, output }) => {
    const limit = textFlag(flags, "limit");
    const response = await askOnce(dataFolderFlag(flags, "live"), {
      ask: "snapshots",
      limit: limit === null ? DEFAULT_LIMIT : parseWhole("limit", limit, 1, 1_000_000),
    });
    if (response.ask !== "snapshots") return EXIT.cannotTell;
    const rows = response.snapshots.map((snapshot) => [
      snapshot.snapshotId,
      new Date(snapshot.commitTimeMs).toISOString(),
      snapshot.kind,
      snapshot.sealed ? "sealed" : "hot",
      snapshot.source,
      snapshot.fromOffset,
      snapshot.toOffset,
    ]);
    output.line(formatTable(["snapshot", "committed", "kind", "rows", "source", "from", "to"], rows));
    output.json({ snapshots: response.snapshots });
    return EXIT.ok;
  },
};
