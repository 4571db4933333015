import type { ExportFormat } from "#renderer/stores/exports.ts";
import type { AppStores } from "#renderer/stores/app-stores.ts";
import { openPanel } from "#renderer/stores/workbench-store.ts";
import type { WorkbenchCommand } from "#renderer/workbench/command.ts";

const PANEL = "tables";

function command(
  id: string,
  title: string,
  keys: readonly string[],
  run: (stores: AppStores) => void,
): WorkbenchCommand {
  return { id: `tables.${id}`, title: `Tables: ${title}`, keys, panel: PANEL, run };
}

function exportTable({ tablesRoom, exports }: AppStores, format: ExportFormat): void {
  const { chosen, snapshotId } = tablesRoom.store.getState();
  if (chosen !== null) void exports.saveTable(chosen, snapshotId, format);
}

/** Puts a statement over the chosen table into the SQL room, at the snapshot that is read here. */
function openInSql({ tablesRoom, sqlRoom, workbench }: AppStores): void {
  const { chosen, asOf } = tablesRoom.store.getState();
  if (chosen === null) return;
  sqlRoom.openDraft(`SELECT *\nFROM ${chosen}\nLIMIT 100`, asOf);
  openPanel(workbench, "sql");
}

/** What can be done in the Tables room. */
export const tablesCommands: readonly WorkbenchCommand[] = [
  command("next", "next table", ["j", "arrowdown"], ({ tablesRoom }) => tablesRoom.step(1)),
  command("previous", "previous table", ["k", "arrowup"], ({ tablesRoom }) => tablesRoom.step(-1)),
  command("columns", "columns of the table", [], ({ tablesRoom }) => tablesRoom.showSection("columns")),
  command("preview", "newest rows of the table", ["enter"], ({ tablesRoom }) =>
    tablesRoom.showSection("preview"),
  ),
  command("snapshots", "snapshots to read as of", [], ({ tablesRoom }) =>
    tablesRoom.showSection("snapshots"),
  ),
  command("newest", "back to the newest snapshot", ["escape"], ({ tablesRoom }) => tablesRoom.readAsOf(null)),
  command("refresh", "read again", ["f5"], ({ tablesRoom }) => tablesRoom.refresh()),
  command("open-in-sql", "open the table in SQL", [], openInSql),
  command("export-parquet", "export the table as Parquet …", [], (stores) => exportTable(stores, "parquet")),
  command("export-csv", "export the table as CSV …", [], (stores) => exportTable(stores, "csv")),
  command("export-ndjson", "export the table as NDJSON …", [], (stores) => exportTable(stores, "ndjson")),
];
