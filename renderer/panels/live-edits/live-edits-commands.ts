import type { WorkbenchCommand } from "#renderer/workbench/command.ts";

/** Id of the filter's input, so that a key can reach it. */
export const FILTER_INPUT_ID = "live-edits-filter";

/** What can be done in Live edits. */
export const liveEditsCommands: readonly WorkbenchCommand[] = [
  {
    id: "live-edits.toggle-pause",
    title: "Live edits: pause or resume",
    keys: ["space"],
    panel: "live-edits",
    run: ({ liveEdits }) => liveEdits.togglePause(),
  },
  {
    id: "live-edits.next-row",
    title: "Live edits: next row",
    keys: ["j", "arrowdown"],
    panel: "live-edits",
    run: ({ liveEdits }) => liveEdits.moveSelection(1),
  },
  {
    id: "live-edits.previous-row",
    title: "Live edits: previous row",
    keys: ["k", "arrowup"],
    panel: "live-edits",
    run: ({ liveEdits }) => liveEdits.moveSelection(-1),
  },
  {
    id: "live-edits.inspect",
    title: "Live edits: inspect the selected row",
    keys: ["enter"],
    panel: "live-edits",
    run: ({ liveEdits }) => liveEdits.openInspector(),
  },
  {
    id: "live-edits.filter",
    title: "Live edits: filter rows",
    keys: ["/"],
    panel: "live-edits",
    run: () => document.getElementById(FILTER_INPUT_ID)?.focus(),
  },
  {
    id: "live-edits.older",
    title: "Live edits: load older rows",
    keys: [],
    panel: "live-edits",
    run: ({ liveEdits }) => liveEdits.fetchOlder(),
  },
  {
    id: "live-edits.close",
    title: "Live edits: close the inspector, then the selection",
    keys: ["escape"],
    panel: "live-edits",
    run: ({ liveEdits }) => liveEdits.escape(),
  },
];
