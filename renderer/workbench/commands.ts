import type { AppStores } from "#renderer/stores/app-stores.ts";
import { deadLettersCommands } from "../panels/dead-letters/dead-letters-commands.ts";
import { lateArrivalsCommands } from "../panels/late-arrivals/late-arrivals-commands.ts";
import { liveEditsCommands } from "../panels/live-edits/live-edits-commands.ts";
import { pipelineCommands } from "#renderer/panels/pipeline/pipeline-commands.ts";
import { sqlCommands } from "../panels/sql/sql-commands.ts";
import { tablesCommands } from "../panels/tables/tables-commands.ts";
import { settingsCommands } from "../panels/settings/settings-commands.ts";
import type { WorkbenchCommand } from "./command.ts";
import { exportCommands } from "./export-commands.ts";
import { shellCommands } from "./shell-commands.ts";
import { sourceCommands } from "./sources/source-commands.ts";
import { themeCommands } from "./theme-commands.ts";

/** Every command of the window: the palette's list and the keyboard's table. A panel adds its own list here. */
export const COMMANDS: readonly WorkbenchCommand[] = [
  ...shellCommands,
  ...themeCommands,
  ...exportCommands,
  ...liveEditsCommands,
  ...pipelineCommands,
  ...lateArrivalsCommands,
  ...deadLettersCommands,
  ...tablesCommands,
  ...sqlCommands,
  ...sourceCommands,
  ...settingsCommands,
];

/** Runs a command by its id; unknown ids are a bug and throw. */
export function runCommand(stores: AppStores, id: string): void {
  const command = COMMANDS.find((candidate) => candidate.id === id);
  if (command === undefined) throw new Error(`no such command: ${id}`);
  command.run(stores);
}
