import type { MenuItem } from "#renderer/components/context-menu.tsx";
import type { AppStores } from "#renderer/stores/app-stores.ts";
import type { WorkbenchCommand } from "#renderer/workbench/command.ts";
import { copyRecord, openRecord } from "./record-actions.ts";

/** The part of a room that a command on its selected row needs. */
type Selecting = {
  readonly store: { readonly getState: () => { readonly selectedOffset: number | null } };
  readonly openInspector: () => void;
};

type Action = {
  readonly id: string;
  readonly label: string;
  /** Heard while the room is open; Ctrl+C only while the list has the keyboard, since elsewhere it copies text. */
  readonly key?: string;
  readonly shownKeys?: string;
  readonly run: (stores: AppStores, offset: number) => Promise<void>;
};

const ACTIONS: readonly Action[] = [
  {
    id: "copy-json",
    label: "copy as JSON",
    shownKeys: "Ctrl+C",
    run: (stores, at) => copyRecord(stores, at, "json"),
  },
  { id: "copy-title", label: "copy the title", run: (stores, at) => copyRecord(stores, at, "title") },
  { id: "copy-link", label: "copy the link", run: (stores, at) => copyRecord(stores, at, "link") },
  { id: "open-page", label: "open the page", key: "o", run: (stores, at) => openRecord(stores, at, "page") },
  {
    id: "open-diff",
    label: "open the difference",
    key: "d",
    run: (stores, at) => openRecord(stores, at, "diff"),
  },
];

/** Commands on the selected row of a room. */
export function recordCommands(
  panel: string,
  name: string,
  pick: (stores: AppStores) => Selecting,
): readonly WorkbenchCommand[] {
  return ACTIONS.map(({ id, label, key, shownKeys, run }) => ({
    id: `${panel}.${id}`,
    title: `${name}: selected row, ${label}${shownKeys === undefined ? "" : ` (${shownKeys} in the list)`}`,
    keys: key === undefined ? [] : [key],
    panel,
    run: (stores) => {
      const { selectedOffset } = pick(stores).store.getState();
      if (selectedOffset !== null) void run(stores, selectedOffset);
    },
  }));
}

/** The same on any row, for its context menu; and the inspector. */
export function recordMenu(stores: AppStores, room: Selecting, offset: number): readonly MenuItem[] {
  return [
    { label: "Inspect", keys: "Enter", run: () => room.openInspector() },
    ...ACTIONS.map(({ label, key, shownKeys, run }) => ({
      label: `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`,
      keys: shownKeys ?? key?.toUpperCase() ?? "",
      run: () => void run(stores, offset),
    })),
  ];
}
