import type { AppStores } from "#renderer/stores/app-stores.ts";
import type { ExportFormat } from "#renderer/stores/exports.ts";
import { openPanel } from "#renderer/stores/workbench-store.ts";
import type { WorkbenchCommand } from "#renderer/workbench/command.ts";

const PANEL = "sql";

function command(
  id: string,
  title: string,
  keys: readonly string[],
  run: (stores: AppStores) => void,
): WorkbenchCommand {
  return { id: `sql.${id}`, title: `SQL: ${title}`, keys, panel: PANEL, run };
}

function saveAs(format: ExportFormat, name: string): WorkbenchCommand {
  return command(`save-${format}`, `save the result as ${name}`, [], ({ sqlRoom }) => {
    void sqlRoom.save(format);
  });
}

/** What can be done in the SQL room. */
export const sqlCommands: readonly WorkbenchCommand[] = [
  command("open", "open", [], ({ workbench }) => openPanel(workbench, PANEL)),
  command("run", "run the selection or the statement at the cursor", ["mod+enter"], ({ sqlRoom }) => {
    void sqlRoom.run();
  }),
  command("cancel", "cancel what is running", ["escape"], ({ sqlRoom }) => sqlRoom.cancel()),
  command("new-draft", "new draft", ["mod+n"], ({ sqlRoom }) => sqlRoom.openDraft("")),
  command("close-draft", "close the draft", ["mod+alt+w"], ({ sqlRoom }) => sqlRoom.closeDraft()),
  command("next-draft", "next draft", ["mod+alt+pagedown"], ({ sqlRoom }) => sqlRoom.stepDraft(1)),
  command("previous-draft", "previous draft", ["mod+alt+pageup"], ({ sqlRoom }) => sqlRoom.stepDraft(-1)),
  command("go-to-error", "go to the error", ["f8"], ({ sqlRoom }) => sqlRoom.goToError()),
  saveAs("parquet", "Parquet"),
  saveAs("csv", "CSV"),
  saveAs("ndjson", "NDJSON"),
];
