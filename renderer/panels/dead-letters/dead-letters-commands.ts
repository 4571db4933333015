import { roomCommands } from "../record-room/room-commands.ts";

/** What can be done in Dead letters. */
export const deadLettersCommands = roomCommands(
  "dead-letters",
  "Dead letters",
  ({ deadLetters }) => deadLetters,
);
