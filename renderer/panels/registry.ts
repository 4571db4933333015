import type { ComponentType } from "react";
import { LiveEditsPanel } from "./live-edits/live-edits-panel.tsx";

/** A room of the workbench: one entry here, one folder beside this file. */
export type PanelEntry = {
  readonly id: string;
  readonly title: string;
  /** Name in the codicons font. */
  readonly icon: string;
  readonly component: ComponentType;
};

/** Every panel, in the order of the activity bar. */
export const PANELS: readonly PanelEntry[] = [
  { id: "live-edits", title: "Live edits", icon: "pulse", component: LiveEditsPanel },
];
