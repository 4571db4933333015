import { openPanel } from "#renderer/stores/workbench-store.ts";
import type { WorkbenchCommand } from "#renderer/workbench/command.ts";

/** Id of the search field, so that a key can reach it. */
export const SEARCH_INPUT_ID = "settings-search";
const PANEL = "settings";

/** What can be done with settings. */
export const settingsCommands: readonly WorkbenchCommand[] = [
  {
    id: "settings.open",
    title: "Settings: open",
    keys: ["mod+,"],
    run: ({ workbench }) => openPanel(workbench, PANEL),
  },
  {
    id: "settings.search",
    title: "Settings: search",
    keys: ["/"],
    panel: PANEL,
    run: () => document.getElementById(SEARCH_INPUT_ID)?.focus(),
  },
  {
    id: "settings.json",
    title: "Settings: edit as JSON",
    keys: [],
    panel: PANEL,
    run: ({ settingsRoom }) => settingsRoom.setMode("json"),
  },
  {
    id: "settings.form",
    title: "Settings: back to the form",
    keys: [],
    panel: PANEL,
    run: ({ settingsRoom }) => settingsRoom.setMode("form"),
  },
  {
    id: "settings.save",
    title: "Settings: save the JSON",
    keys: ["mod+s"],
    panel: PANEL,
    run: ({ settingsRoom }) => void settingsRoom.saveJson(),
  },
];
