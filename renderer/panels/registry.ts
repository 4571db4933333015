import type { ComponentType } from "react";
import { DeadLettersPanel } from "./dead-letters/dead-letters-panel.tsx";
import { LateArrivalsPanel } from "./late-arrivals/late-arrivals-panel.tsx";
import { LiveEditsPanel } from "./live-edits/live-edits-panel.tsx";
import { PipelinePanel } from "./pipeline/pipeline-panel.tsx";
import type { RoomId } from "./rooms.ts";
import { SettingsPanel } from "./settings/settings-panel.tsx";
import { SqlPanel } from "./sql/sql-panel.tsx";
import { TablesPanel } from "./tables/tables-panel.tsx";

/** The component of every room; a room without one does not compile. */
export const ROOM_COMPONENTS: Readonly<Record<RoomId, ComponentType>> = {
  "live-edits": LiveEditsPanel,
  pipeline: PipelinePanel,
  "late-arrivals": LateArrivalsPanel,
  "dead-letters": DeadLettersPanel,
  tables: TablesPanel,
  sql: SqlPanel,
  settings: SettingsPanel,
};
