import type { AppStores } from "#renderer/stores/app-stores.ts";
import type { WorkbenchCommand } from "#renderer/workbench/command.ts";
import { recordCommands } from "./record-menu.ts";
import { openPanel } from "#renderer/stores/workbench-store.ts";

/** What a command of a room can do with it. */
type RoomActions = {
  readonly store: { readonly getState: () => { readonly selectedOffset: number | null } };
  readonly moveSelection: (by: number) => void;
  readonly openInspector: () => void;
  readonly escape: () => void;
  readonly refresh: () => void;
};

/** Id of a room's filter input, so that a key can reach it. */
export function filterInputId(panel: string): string {
  return `${panel}-filter`;
}

/** What can be done in a room of records; the keys are those of Live edits. */
export function roomCommands(
  panel: string,
  name: string,
  pick: (stores: AppStores) => RoomActions,
): readonly WorkbenchCommand[] {
  const command = (
    id: string,
    title: string,
    keys: readonly string[],
    run: (stores: AppStores) => void,
  ): WorkbenchCommand => ({ id: `${panel}.${id}`, title: `${name}: ${title}`, keys, panel, run });
  return [
    command("open", "open", [], ({ workbench }) => openPanel(workbench, panel)),
    command("next-row", "next row", ["j", "arrowdown"], (stores) => pick(stores).moveSelection(1)),
    command("previous-row", "previous row", ["k", "arrowup"], (stores) => pick(stores).moveSelection(-1)),
    command("inspect", "inspect the selected row", ["enter"], (stores) => pick(stores).openInspector()),
    command("filter", "filter rows", ["/"], () => document.getElementById(filterInputId(panel))?.focus()),
    command("refresh", "read again", ["f5"], (stores) => pick(stores).refresh()),
    command("close", "close the inspector, then the selection", ["escape"], (stores) =>
      pick(stores).escape(),
    ),
    ...recordCommands(panel, name, pick),
  ];
}
