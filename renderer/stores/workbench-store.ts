import { createStore, type StoreApi } from "zustand/vanilla";

/** Something a command has to say to the one who asked; it goes by itself. */
export type Notice = { readonly text: string; readonly tone: "info" | "bad" };

/** What the shell itself remembers. */
export type WorkbenchState = {
  readonly activePanel: string;
  readonly isSideBarShown: boolean;
  readonly isPaletteOpen: boolean;
  readonly notice: Notice | null;
};

export function createWorkbenchStore(activePanel: string): StoreApi<WorkbenchState> {
  return createStore<WorkbenchState>(() => ({
    activePanel,
    isSideBarShown: true,
    isPaletteOpen: false,
    notice: null,
  }));
}
