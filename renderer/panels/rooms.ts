/** A room by name: what tabs, the activity bar, keys and the command centre need of it. Its component stands in registry.ts. */
export type Room = {
  readonly id: string;
  readonly title: string;
  /** Name in the codicons font. */
  readonly icon: string;
  /** Whether a fresh window has a tab of it. */
  readonly opensAtStart: boolean;
};

/** Every room, in the order of the activity bar. Plain data, so that commands can speak of rooms without importing them. */
export const ROOMS = [
  { id: "live-edits", title: "Live edits", icon: "pulse", opensAtStart: true },
  { id: "pipeline", title: "Pipeline", icon: "type-hierarchy", opensAtStart: true },
  { id: "late-arrivals", title: "Late arrivals", icon: "history", opensAtStart: true },
  { id: "dead-letters", title: "Dead letters", icon: "mail", opensAtStart: true },
  { id: "tables", title: "Tables", icon: "database", opensAtStart: true },
  { id: "sql", title: "SQL", icon: "terminal", opensAtStart: true },
  { id: "settings", title: "Settings", icon: "settings-gear", opensAtStart: false },
] as const satisfies readonly Room[];

/** Name of a room in code. */
export type RoomId = (typeof ROOMS)[number]["id"];
