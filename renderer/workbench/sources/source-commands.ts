import type { WorkbenchCommand } from "../command.ts";

const TOLD = [
  ["source.pause", "Source: pause (stop taking records, keep the connection's place)"],
  ["source.resume", "Source: resume"],
  ["source.stop", "Source: stop (close the connection until it is started again)"],
  ["source.start", "Source: start again from the stored position"],
  ["source.retry", "Source: try again now"],
  ["source.use-live", "Source: switch to the live feed"],
  ["source.use-demo", "Source: switch to the built-in demo feed"],
  ["folder.show", "Data folder: show it in the file manager"],
] as const;

/** What can be done with the source and its folder. */
export const sourceCommands: readonly WorkbenchCommand[] = [
  ...TOLD.map(([id, title]): WorkbenchCommand => ({
    id,
    title,
    keys: [],
    run: ({ sources }) => void sources.tell(id),
  })),
  {
    id: "source.open-file",
    title: "Source: open a recording …",
    keys: ["mod+o"],
    run: ({ sources }) => void sources.openRecording(null),
  },
];
