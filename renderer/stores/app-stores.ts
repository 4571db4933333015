import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import type { Bridge } from "#main/contract/bridge.ts";
import {
  deadLettersPlan,
  type DeadLetterFacts,
  type DeadLetterRow,
} from "../panels/dead-letters/dead-letters-plan.ts";
import {
  lateArrivalsPlan,
  type LateFacts,
  type LateRow,
} from "../panels/late-arrivals/late-arrivals-plan.ts";
import { WatermarkTrack } from "../panels/late-arrivals/watermark-track.ts";
import { RecordRoom } from "../panels/record-room/record-room.ts";
import { LiveEdits, type LiveEditsState } from "../panels/live-edits/live-edits-store.ts";
import { PipelineRoom, type PipelineRoomState } from "#renderer/panels/pipeline/pipeline-room.ts";
import { SettingsRoom } from "../panels/settings/settings-room.ts";
import { TablesRoom } from "../panels/tables/tables-room.ts";
import { SqlRoom } from "../panels/sql/sql-room.ts";
import { Exports } from "./exports.ts";
import { Notifications, type NotificationsState } from "./notifications.ts";
import { AppHistory } from "./app-history.ts";
import { WorkerOutput } from "./worker-output.ts";
import { DockLayout } from "./dock-layout.ts";
import { ROOMS } from "#renderer/panels/rooms.ts";
import { Sources } from "./sources.ts";
import { createStatusStore, type StatusState } from "./status-store.ts";
import { WindowMemory } from "./window-memory.ts";
import { createWorkbenchStore, type WorkbenchState } from "./workbench-store.ts";

/** Everything a window holds; made once per window and handed down by context, so that tests make their own. */
export type AppStores = {
  readonly bridge: Bridge;
  readonly memory: WindowMemory;
  readonly notifications: Notifications;
  readonly exports: Exports;
  readonly sources: Sources;
  readonly history: AppHistory;
  readonly output: WorkerOutput;
  readonly status: StoreApi<StatusState>;
  readonly workbench: StoreApi<WorkbenchState>;
  readonly layout: DockLayout;
  readonly liveEdits: LiveEdits;
  readonly pipelineRoom: PipelineRoom;
  readonly lateArrivals: RecordRoom<LateRow, LateFacts>;
  readonly watermarkTrack: WatermarkTrack;
  readonly deadLetters: RecordRoom<DeadLetterRow, DeadLetterFacts>;
  readonly sqlRoom: SqlRoom;
  readonly tablesRoom: TablesRoom;
  readonly settingsRoom: SettingsRoom;
};

const FIRST_PANEL = ROOMS[0].id;

/** `memory` is loaded before, so that every store begins where the last window ended. */
export function createAppStores(bridge: Bridge, memory: WindowMemory = new WindowMemory(bridge)): AppStores {
  const workbench = createWorkbenchStore(FIRST_PANEL, memory);
  const notifications = new Notifications();
  const exports = new Exports(bridge, notifications);
  return {
    bridge,
    memory,
    notifications,
    exports,
    sources: new Sources(bridge, notifications, memory),
    history: new AppHistory(),
    output: new WorkerOutput(bridge),
    status: createStatusStore(),
    workbench,
    layout: new DockLayout(ROOMS, memory, workbench),
    liveEdits: new LiveEdits(bridge, memory),
    pipelineRoom: new PipelineRoom(bridge),
    lateArrivals: new RecordRoom(bridge, lateArrivalsPlan, memory),
    watermarkTrack: new WatermarkTrack(),
    deadLetters: new RecordRoom(bridge, deadLettersPlan, memory),
    sqlRoom: new SqlRoom({ bridge, memory, notifications, exports }),
    tablesRoom: new TablesRoom(bridge, memory),
    settingsRoom: new SettingsRoom(bridge, notifications),
  };
}

export const AppStoresContext = createContext<AppStores | null>(null);

/** The stores of this window. Throws outside of the workbench: a component there would be a bug. */
export function useAppStores(): AppStores {
  const stores = useContext(AppStoresContext);
  if (stores === null) throw new Error("no stores: the component stands outside of the workbench");
  return stores;
}

/** The smallest slice of the newest status. */
export function useStatus<T>(select: (state: StatusState) => T): T {
  return useStore(useAppStores().status, select);
}

export function useWorkbench<T>(select: (state: WorkbenchState) => T): T {
  return useStore(useAppStores().workbench, select);
}

export function useLiveEdits<T>(select: (state: LiveEditsState) => T): T {
  return useStore(useAppStores().liveEdits.store, select);
}

export function usePipelineRoom<T>(select: (state: PipelineRoomState) => T): T {
  return useStore(useAppStores().pipelineRoom.store, select);
}

export function useNotifications<T>(select: (state: NotificationsState) => T): T {
  return useStore(useAppStores().notifications.store, select);
}
