import type { AppStatus } from "./app-status.ts";

/** Events from main to windows: they announce, never steer. */
export type AppEvents = {
  /** The newest status; older ones are never queued. */
  readonly status: AppStatus;
};

/** Name of an event. */
export type EventName = keyof AppEvents;
