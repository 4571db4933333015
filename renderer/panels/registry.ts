import type { ComponentType } from "react";
import { DeadLettersPanel } from "./dead-letters/dead-letters-panel.tsx";
import { LateArrivalsPanel } from "./late-arrivals/late-arrivals-panel.tsx";
import { LiveEditsPanel } from "./live-edits/live-edits-panel.tsx";
import { PipelinePanel } from "./pipeline/pipeline-panel.tsx";
import { SqlPanel } from "./sql/sql-panel.tsx";

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
  { id: "pipeline", title: "Pipeline", icon: "type-hierarchy", component: PipelinePanel },
  { id: "late-arrivals", title: "Late arrivals", icon: "history", component: LateArrivalsPanel },
  { id: "dead-letters", title: "Dead letters", icon: "mail", component: DeadLettersPanel },
  { id: "sql", title: "SQL", icon: "terminal", component: SqlPanel },
];
