import { ROOMS } from "#renderer/panels/rooms.ts";
import type { AppStores } from "#renderer/stores/app-stores.ts";
import { openPanel } from "#renderer/stores/workbench-store.ts";
import { COMMANDS } from "../commands.ts";
import { showKeys } from "../keyboard.ts";

/** One line of the command centre. */
export type PaletteItem = {
  readonly id: string;
  readonly icon: string;
  /** May be text of a feed (the title of a page). */
  readonly title: string;
  /** What it is, or its key. */
  readonly hint: string;
  readonly run: (stores: AppStores) => void;
};

/** Commands that only make sense from a key or would open the list that is open. */
const NOT_LISTED = new Set(["workbench.palette", "workbench.quick-open"]);

/** Whether each word stands in the text; `go pi` finds "Go to Pipeline". */
export function hasWords(text: string, query: string): boolean {
  const lower = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => lower.includes(word));
}

/** Titles that begin with what was typed, then those that have it in one piece, then those that only have its words. */
function bestFirst<T extends { readonly title: string }>(found: readonly T[], query: string): readonly T[] {
  const rank = ({ title }: T): number => {
    const at = title.toLowerCase().indexOf(query.toLowerCase());
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return found.toSorted((left, right) => rank(left) - rank(right));
}

/** Whether what was typed asks for commands. */
export function asksForCommands(typed: string): boolean {
  return typed.startsWith(">");
}

/** Commands that match what stands behind the `>`, in the order of their list. */
export function commandItems(typed: string): readonly PaletteItem[] {
  const query = typed.slice(1).trim();
  const found = COMMANDS.filter(({ id, title }) => !NOT_LISTED.has(id) && hasWords(title, query));
  return bestFirst(found, query).map((command) => ({
    id: command.id,
    icon: "chevron-right",
    title: command.title,
    hint: showKeys(command),
    run: (stores) => {
      if (command.panel !== undefined) openPanel(stores.workbench, command.panel);
      command.run(stores);
    },
  }));
}

/** Rooms that match. */
export function roomItems(query: string): readonly PaletteItem[] {
  return ROOMS.filter(({ title }) => hasWords(title, query)).map(({ id, title, icon }) => ({
    id: `room-${id}`,
    icon,
    title,
    hint: "room",
    run: ({ workbench }) => openPanel(workbench, id),
  }));
}
