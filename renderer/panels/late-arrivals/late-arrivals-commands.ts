import { roomCommands } from "../record-room/room-commands.ts";

/** What can be done in Late arrivals. */
export const lateArrivalsCommands = roomCommands(
  "late-arrivals",
  "Late arrivals",
  ({ lateArrivals }) => lateArrivals,
);
