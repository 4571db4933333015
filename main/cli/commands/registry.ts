import type { Command } from "../command.ts";
import { exportCommand } from "./export.ts";
import { feedCommand } from "./feed.ts";
import { runCommand } from "./run.ts";
import { snapshotsCommand } from "./snapshots.ts";
import { sqlCommand } from "./sql.ts";
import { startCommand } from "./start.ts";
import { statusCommand } from "./status.ts";
import { tablesCommand } from "./tables.ts";
import { verifyCommand } from "./verify.ts";

/** Every command of `highwater`, in the order of the help; a test compares it with the folder. */
export const COMMANDS: readonly Command[] = [
  startCommand,
  runCommand,
  feedCommand,
  sqlCommand,
  exportCommand,
  statusCommand,
  tablesCommand,
  snapshotsCommand,
  verifyCommand,
];
