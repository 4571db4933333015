import { dialog } from "electron";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { AppError } from "#storage/model/errors.ts";
import { dataFolderFor } from "../engine/data-location.ts";
import { askHolder, socketAddress } from "../engine/fence.ts";
import { parseSource } from "../engine/source-spec.ts";
import type { WindowArguments } from "./window-arguments.ts";

/** Exit codes of the command line: 1 broken, 64 wrong use. */
const EXIT_BROKEN = 1;
const EXIT_USAGE = 64;

/** Asks the holder of the folder to come to the front. One that does not answer is not our failure. */
async function showHolder({ dataFolder, source }: WindowArguments): Promise<void> {
  const { mode } = parseSource(source ?? "live");
  const { socket } = dataFolderAt(dataFolderFor(mode, dataFolder, mode));
  await askHolder(socketAddress(socket), { ask: "show" }).catch(() => null);
}

/**
 * Says why the app does not start and returns the exit code. A second start on a folder prints its line, brings the first
 * window to the front and goes; anything else gets a message box too, since a double click shows no terminal.
 */
export async function explainFailedStart(error: unknown, given: WindowArguments | null): Promise<number> {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`highwater: ${message}\n`);
  const code = error instanceof AppError ? error.code : null;
  if (code === "data-folder-in-use") {
    if (given !== null) await showHolder(given);
    return EXIT_BROKEN;
  }
  const isTerminal = process.stderr.isTTY || process.env["CI"] !== undefined;
  if (!isTerminal) dialog.showErrorBox("Highwater cannot start", message);
  return code === "usage" ? EXIT_USAGE : EXIT_BROKEN;
}
