import { createStore, type StoreApi } from "zustand/vanilla";

/** Parts of the bottom panel. */
export type BottomView = "problems" | "output" | "history";

/** What the shell itself remembers. */
export type WorkbenchState = {
  /** Room whose keys are heard: the one that was opened or clicked last. */
  readonly activePanel: string;
  readonly isSideBarShown: boolean;
  /** What of the bottom panel is open; null = it is closed. */
  readonly bottomView: BottomView | null;
  /** First characters of the command centre's field: `>` for commands, empty for rooms, tables and pages; null = closed. */
  readonly palette: string | null;
};

export function createWorkbenchStore(activePanel: string): StoreApi<WorkbenchState> {
  return createStore<WorkbenchState>(() => ({
    activePanel,
    isSideBarShown: true,
    bottomView: null,
    palette: null,
  }));
}

/** Opens a room, or brings the one that is open to the front. */
export function openPanel(workbench: StoreApi<WorkbenchState>, panel: string): void {
  workbench.setState({ activePanel: panel });
}
