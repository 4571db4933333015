import type { AppStores } from "#renderer/stores/app-stores.ts";
import type { WorkbenchCommand } from "#renderer/workbench/command.ts";
import type { ExportFormat } from "./sql-room.ts";
import { openPanel } from "#renderer/stores/workbench-store.ts";

const PANEL = "sql";

function saveAs(format: ExportFormat, name: string): WorkbenchCommand {
  return {
    id: `sql.save-${format}`,
    title: `SQL: save the result as ${name}`,
    keys: [],
    panel: PANEL,
    run: ({ sqlRoom }) => void sqlRoom.save(format),
  };
}

/** What can be done in the SQL room. */
export const sqlCommands: readonly WorkbenchCommand[] = [
  {
    id: "sql.open",
    title: "SQL: open",
    keys: [],
    panel: PANEL,
    run: ({ workbench }: AppStores) => openPanel(workbench, PANEL),
  },
  {
    id: "sql.run",
    title: "SQL: run the statement",
    keys: ["mod+enter"],
    panel: PANEL,
    run: ({ sqlRoom }) => void sqlRoom.run(),
  },
  {
    id: "sql.cancel",
    title: "SQL: cancel what is running",
    keys: ["escape"],
    panel: PANEL,
    run: ({ sqlRoom }) => sqlRoom.cancel(),
  },
  saveAs("parquet", "Parquet"),
  saveAs("csv", "CSV"),
  saveAs("ndjson", "NDJSON"),
];
