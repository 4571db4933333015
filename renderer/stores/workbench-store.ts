import { createStore, type StoreApi } from "zustand/vanilla";
import type { WindowMemory } from "./window-memory.ts";

/** Parts of the bottom panel, in the order of their tabs. */
export const BOTTOM_VIEWS = ["problems", "output", "history"] as const;

/** One part of the bottom panel. */
export type BottomView = (typeof BOTTOM_VIEWS)[number];

/** What the shell itself remembers. */
export type WorkbenchState = {
  /** Room whose keys are heard: the one that was opened or clicked last; empty where every tab is closed. */
  readonly activePanel: string;
  readonly isSideBarShown: boolean;
  readonly sideBarWidth: number;
  /** What of the bottom panel is open; null = it is closed. */
  readonly bottomView: BottomView | null;
  readonly bottomHeight: number;
  /** First characters of the command centre's field: `>` for commands, empty for rooms, tables and pages; null = closed. */
  readonly palette: string | null;
  /** Whether the list of past notifications is open. */
  readonly areNotificationsShown: boolean;
  /** Whether the three steps for a newcomer are shown. */
  readonly isWelcomeShown: boolean;
};

/** Widths of the side bar, px (workbench.md "Shell"). */
export const SIDE_BAR_WIDTH = { min: 170, max: 600, first: 264 } as const;
/** Heights of the bottom panel, px. */
export const BOTTOM_HEIGHT = { min: 80, max: 700, first: 200 } as const;

const MEMORY_NAME = "layout.shell";

/** The part of the state that outlives the window. */
const KEPT = ["isSideBarShown", "sideBarWidth", "bottomView", "bottomHeight", "isWelcomeShown"] as const;

type Kept = Pick<WorkbenchState, (typeof KEPT)[number]>;

const FIRST: Kept = {
  isSideBarShown: true,
  sideBarWidth: SIDE_BAR_WIDTH.first,
  bottomView: null,
  bottomHeight: BOTTOM_HEIGHT.first,
  isWelcomeShown: true,
};

/** Begins where the last window ended; changes of the kept part are remembered. */
export function createWorkbenchStore(activePanel: string, memory: WindowMemory): StoreApi<WorkbenchState> {
  const store = createStore<WorkbenchState>(() => ({
    activePanel,
    ...readKept(memory.get(MEMORY_NAME)),
    palette: null,
    areNotificationsShown: false,
  }));
  store.subscribe((state) => {
    memory.set(MEMORY_NAME, Object.fromEntries(KEPT.map((name) => [name, state[name]])));
  });
  return store;
}

function readKept(saved: unknown): Kept {
  if (typeof saved !== "object" || saved === null) return FIRST;
  const value = (name: string): unknown => Object.entries(saved).find(([key]) => key === name)?.[1];
  const size = (name: string, { min, max, first }: { min: number; max: number; first: number }): number => {
    const found = value(name);
    return typeof found === "number" && found >= min && found <= max ? found : first;
  };
  return {
    isSideBarShown: value("isSideBarShown") !== false,
    sideBarWidth: size("sideBarWidth", SIDE_BAR_WIDTH),
    bottomView: BOTTOM_VIEWS.find((view) => view === value("bottomView")) ?? null,
    bottomHeight: size("bottomHeight", BOTTOM_HEIGHT),
    isWelcomeShown: value("isWelcomeShown") !== false,
  };
}

/** Opens a room, or brings the one that is open to the front. */
export function openPanel(workbench: StoreApi<WorkbenchState>, panel: string): void {
  workbench.setState({ activePanel: panel });
}
