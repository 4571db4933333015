import type { CommandHandlers } from "#main/contract/commands.ts";
import type { Engine } from "../engine/engine-contract.ts";

/** What opening recordings needs of the desktop. */
export type SourcePorts = {
  /** Asks the user for a file to open; null = none. */
  readonly chooseRecording: () => Promise<string | null>;
  /** Shows a folder in the file manager. */
  readonly showFolder: (path: string) => void;
};

type SourceCommands = Pick<
  CommandHandlers,
  Extract<keyof CommandHandlers, `source.${string}`> | "folder.show"
>;

/** Handlers of everything that steers the source, and of the folder its data lie in. */
export function createSourceHandlers(engine: Engine, ports: SourcePorts): SourceCommands {
  return {
    "source.pause": async () => {
      engine.pause();
      return null;
    },
    "source.resume": async () => {
      engine.resume();
      return null;
    },
    "source.retry": async () => {
      engine.retry();
      return null;
    },
    "source.stop": async () => {
      await engine.stopSource();
      return null;
    },
    "source.start": async () => {
      engine.startSource();
      return null;
    },
    "source.use-demo": async () => {
      await engine.switchTo("demo");
      return null;
    },
    "source.use-live": async () => {
      await engine.switchTo("live");
      return null;
    },
    "source.open-file": async ({ path }) => {
      const chosen = path ?? (await ports.chooseRecording());
      if (chosen === null) return null;
      await engine.switchTo({ path: chosen });
      return { path: chosen };
    },
    "folder.show": async () => {
      ports.showFolder(engine.status().dataFolder);
      return null;
    },
  };
}
