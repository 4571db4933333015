import type { WorkbenchCommand } from "#renderer/workbench/command.ts";
import { recordCommands } from "../record-room/record-menu.ts";

/** Ids of the filter's parts, so that a key can reach them. */
export const FILTER_IDS = {
  text: "live-edits-filter",
  wikis: "live-edits-wikis",
  types: "live-edits-types",
  namespaces: "live-edits-namespaces",
} as const;

const pickCommands = (
  [
    ["wikis", "w"],
    ["types", "t"],
    ["namespaces", "n"],
  ] as const
).map(([part, key]): WorkbenchCommand => ({
  id: `live-edits.pick-${part}`,
  title: `Live edits: pick ${part}`,
  keys: [key],
  panel: "live-edits",
  run: () => document.getElementById(FILTER_IDS[part])?.click(),
}));

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
    run: () => document.getElementById(FILTER_IDS.text)?.focus(),
  },
  ...pickCommands,
  {
    id: "live-edits.turn-bots",
    title: "Live edits: all edits, only those of bots, or without them",
    keys: ["b"],
    panel: "live-edits",
    run: ({ liveEdits }) => liveEdits.turnBots(),
  },
  {
    id: "live-edits.clear-filters",
    title: "Live edits: clear all filters",
    keys: ["x"],
    panel: "live-edits",
    run: ({ liveEdits }) => liveEdits.clearFilter(),
  },
  ...recordCommands("live-edits", "Live edits", ({ liveEdits }) => liveEdits),
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
