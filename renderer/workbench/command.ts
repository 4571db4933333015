import type { AppStores } from "#renderer/stores/app-stores.ts";

/** Something the user can do by palette, key or button. The keys are those of workbench.md; `mod` is Ctrl, on macOS Cmd. */
export type WorkbenchCommand = {
  readonly id: string;
  readonly title: string;
  /** `mod+shift+p`, `space`, or two strokes `mod+k mod+t`. The first is the one shown. */
  readonly keys: readonly string[];
  /** Panel that owns the keys: they count only while it is open, and running the command opens it. None: the whole window. */
  readonly panel?: string;
  readonly run: (stores: AppStores) => void;
};
