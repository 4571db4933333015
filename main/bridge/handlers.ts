import type { CommandHandlers, CommandResults } from "#main/contract/commands.ts";
import type { ThemeChoice } from "#main/contract/theme.ts";
import type { KillDesk } from "../chaos/kill-desk.ts";
import type { Engine } from "../engine/engine-contract.ts";
import { askEngine } from "./ask-engine.ts";
import { createLakeHandlers, type LakePorts } from "./lake-handlers.ts";
import { createLogHandlers } from "./log-handlers.ts";
import { judgeLink } from "./link-policy.ts";
import { createSourceHandlers, type SourcePorts } from "./source-handlers.ts";

/** What a window can do that is not the engine's business. */
export type WindowPorts = LakePorts &
  SourcePorts & {
    /** Opens an address that was already judged in the system's browser. */
    readonly openExternal: (url: string) => Promise<void>;
    readonly setTheme: (theme: ThemeChoice) => Promise<void>;
    readonly readMemory: () => Promise<CommandResults["memory.read"]>;
    /** Keeps what the window remembers; a text that could not be saved rejects. */
    readonly saveMemory: (text: string) => Promise<void>;
  };

/** Handlers of every command a window may send; all of them work through the engine. */
export function createHandlers(engine: Engine, kills: KillDesk, ports: WindowPorts): CommandHandlers {
  return {
    "app.status": async () => engine.status(),
    ...createSourceHandlers(engine, ports),
    "settings.read": async () => engine.settings(),
    "settings.save": ({ text }) => engine.saveSettings(text),
    "live.rows": async (range) => {
      const { snapshotId, checkpoint, rows } = await askEngine(engine, {
        ask: "live-rows",
        source: engine.status().source,
        ...range,
      });
      return { snapshotId, checkpoint, rows };
    },
    "live.record": async ({ logOffset }) => {
      const { snapshotId, record } = await askEngine(engine, {
        ask: "record",
        source: engine.status().source,
        logOffset,
      });
      return { snapshotId, record };
    },
    ...createLakeHandlers(engine, ports),
    ...createLogHandlers(engine),
    "worker.kill": ({ worker }) => kills.kill(worker),
    "worker.kills": async () => kills.state(),
    "link.open": async ({ url }) => {
      const verdict = judgeLink(url);
      if (!verdict.open) return { opened: false, reason: verdict.reason };
      await ports.openExternal(verdict.url);
      return { opened: true, reason: "" };
    },
    "theme.set": async ({ theme }) => {
      await ports.setTheme(theme);
      return null;
    },
    "memory.read": () => ports.readMemory(),
    "memory.save": async ({ text }) => {
      await ports.saveMemory(text);
      return null;
    },
  };
}
