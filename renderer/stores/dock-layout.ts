import type { DockviewApi, IDockviewPanel, SerializedDockview } from "dockview-react";
import type { StoreApi } from "zustand/vanilla";
import type { WindowMemory } from "#renderer/stores/window-memory.ts";
import { openPanel, type WorkbenchState } from "#renderer/stores/workbench-store.ts";

/** Name of the saved layout in the window's memory. */
const MEMORY_NAME = "layout.tabs";
/** Closed tabs that can be opened again, the newest first. */
const MAX_CLOSED = 20;

/** A room as the layout needs to know it. */
export type DockRoom = { readonly id: string; readonly title: string; readonly opensAtStart: boolean };

type Workbench = StoreApi<WorkbenchState>;

/**
 * Tabs and splits of the window. The store's `activePanel` and dockview's active tab are one thing seen from two sides:
 * opening a room sets the store, this class opens or shows its tab; a click on a tab comes back as the store's value.
 * Every change is remembered; a saved layout that does not fit (another build, a damaged file) is replaced by the first one.
 */
export class DockLayout {
  readonly #rooms: readonly DockRoom[];
  readonly #memory: WindowMemory;
  readonly #workbench: Workbench;
  #api: DockviewApi | null = null;
  #closed: readonly string[] = [];
  /** Rooms by when they were active, the newest first. */
  #recent: readonly string[] = [];
  #isMoving = false;

  constructor(rooms: readonly DockRoom[], memory: WindowMemory, workbench: Workbench) {
    this.#rooms = rooms;
    this.#memory = memory;
    this.#workbench = workbench;
  }

  /** Takes a fresh dockview over: restores the layout and keeps both sides together. Returns the end of it. */
  attach(api: DockviewApi): () => void {
    this.#api = api;
    const wanted = this.#workbench.getState().activePanel;
    if (!this.#restore(api)) this.#openFirst(api);
    // A room that was asked for before the window was ready is what the user wants to see.
    const restored = api.activePanel?.id;
    if (restored !== undefined && wanted === this.#rooms[0]?.id) openPanel(this.#workbench, restored);
    else this.#show(wanted);
    const parts = [
      api.onDidActivePanelChange(({ panel }) => {
        if (panel === undefined || this.#isMoving) return;
        this.#recent = [panel.id, ...this.#recent.filter((other) => other !== panel.id)];
        openPanel(this.#workbench, panel.id);
      }),
      api.onDidRemovePanel(({ id }) => {
        this.#closed = [id, ...this.#closed.filter((other) => other !== id)].slice(0, MAX_CLOSED);
      }),
      api.onDidLayoutChange(() => this.#memory.set(MEMORY_NAME, api.toJSON())),
    ];
    const leaveStore = this.#workbench.subscribe(({ activePanel }) => this.#show(activePanel));
    return () => {
      this.#api = null;
      leaveStore();
      for (const part of parts) part.dispose();
    };
  }

  /** Closes the tab that has the focus. */
  closeActive(): void {
    const active = this.#api?.activePanel;
    if (active !== undefined) this.close(active.id);
  }

  /** Closes a tab; its group shows the tab used last. */
  close(id: string): void {
    const api = this.#api;
    const panel = api?.getPanel(id);
    if (api === null || panel === undefined) return;
    const { group } = panel;
    const active = api.activePanel?.id;
    this.#quietly(() => {
      panel.api.close();
      this.#showRecent(group);
    });
    if (active !== undefined && active !== id) this.#show(active);
    openPanel(this.#workbench, api.activePanel?.id ?? "");
  }

  /** Opens the tab closed last. */
  reopen(): void {
    const [newest, ...others] = this.#closed;
    if (newest === undefined) return;
    this.#closed = others;
    openPanel(this.#workbench, newest);
  }

  /** Moves the active tab into a group of its own beside the others. Does nothing where it stands alone already. */
  split(direction: "right" | "below"): void {
    const panel = this.#api?.activePanel;
    if (panel === undefined || panel.group.panels.length < 2) return;
    this.#move(panel, { group: panel.group, position: direction === "right" ? "right" : "bottom" });
  }

  /** Moves the active tab into the next group, in the order of the screen. */
  moveToNextGroup(): void {
    const api = this.#api;
    const panel = api?.activePanel;
    if (api === null || panel === undefined || api.groups.length < 2) return;
    const at = api.groups.findIndex((group) => group.id === panel.group.id);
    const next = api.groups[(at + 1) % api.groups.length];
    if (next === undefined) return;
    this.#move(panel, { group: next });
  }

  /** Shows the n-th tab of the group that has the focus, counted from 1; 9 is the last one, as in browsers. */
  showTab(position: number): void {
    const panels = this.#api?.activePanel?.group.panels ?? [];
    (position === 9 ? panels.at(-1) : panels[position - 1])?.api.setActive();
  }

  /** Shows the next (1) or the previous (-1) tab of the group. */
  stepTab(by: 1 | -1): void {
    const active = this.#api?.activePanel;
    if (active === undefined) return;
    const { panels } = active.group;
    const at = panels.findIndex(({ id }) => id === active.id);
    panels[(at + by + panels.length) % panels.length]?.api.setActive();
  }

  /** Gives the next group the focus. */
  stepGroup(): void {
    const groups = this.#api?.groups ?? [];
    const at = groups.findIndex(({ id }) => id === this.#api?.activeGroup?.id);
    groups[(at + 1) % Math.max(1, groups.length)]?.activePanel?.api.setActive();
  }

  /** Closes everything and opens what a fresh window has. */
  reset(): void {
    if (this.#api === null) return;
    this.#api.clear();
    this.#openFirst(this.#api);
  }

  #move(panel: IDockviewPanel, to: Parameters<IDockviewPanel["api"]["moveTo"]>[0]): void {
    const left = panel.group;
    this.#quietly(() => {
      panel.api.moveTo(to);
      this.#showRecent(left);
      panel.api.setActive();
    });
    openPanel(this.#workbench, panel.id);
  }

  /** dockview would show the last tab of a group that lost its active one; people expect the one they used before. */
  #showRecent({ panels }: IDockviewPanel["group"]): void {
    const recent = this.#recent.find((id) => panels.some((panel) => panel.id === id));
    panels.find(({ id }) => id === recent)?.api.setActive();
  }

  /** What dockview activates on the way is not what the user asked for. */
  #quietly(work: () => void): void {
    this.#isMoving = true;
    try {
      work();
    } finally {
      this.#isMoving = false;
    }
  }

  #show(id: string): void {
    const api = this.#api;
    const room = this.#rooms.find((candidate) => candidate.id === id);
    if (api === null || room === undefined) return;
    const panel = api.getPanel(id);
    if (panel === undefined) this.#add(api, room);
    else if (api.activePanel?.id !== id) panel.api.setActive();
  }

  #add(api: DockviewApi, { id, title }: DockRoom, isActive = true): void {
    const reference = api.activeGroup;
    api.addPanel({
      id,
      title,
      component: id,
      inactive: !isActive,
      ...(reference === undefined ? {} : { position: { referenceGroup: reference } }),
    });
  }

  #openFirst(api: DockviewApi): void {
    const rooms = this.#rooms.filter(({ opensAtStart }) => opensAtStart);
    for (const [at, room] of rooms.entries()) this.#add(api, room, at === 0);
  }

  #restore(api: DockviewApi): boolean {
    const saved = this.#memory.get(MEMORY_NAME);
    if (!this.#fits(saved)) return false;
    try {
      api.fromJSON(saved);
      return api.totalPanels > 0;
    } catch {
      // Another build's layout: what it left half made is cleared, and the window begins afresh.
      api.clear();
      return false;
    }
  }

  /** Only rooms of this build: dockview would take any name and show an empty tab. */
  #fits(saved: unknown): saved is SerializedDockview {
    if (typeof saved !== "object" || saved === null || !("panels" in saved) || !("grid" in saved))
      return false;
    const { panels } = saved;
    if (typeof panels !== "object" || panels === null) return false;
    return Object.keys(panels).every((id) => this.#rooms.some((room) => room.id === id));
  }
}
