import type { AppStatus } from "./app-status.ts";
import type { KillState } from "./kill-card.ts";

/** Events from main to windows: they announce, never steer. */
export type AppEvents = {
  /** The newest status; older ones are never queued. */
  readonly status: AppStatus;
  /** How far a run of a window is: 0 to 1, null where nobody can tell. At most 4 a second for each run. */
  readonly progress: { readonly runId: string; readonly done: number | null; readonly what: string };
  /** A kill went a step further, or its card is there. */
  readonly kill: KillState;
};

/** Name of an event. */
export type EventName = keyof AppEvents;
