import { dialog } from "electron";
import { AppError } from "#storage/model/errors.ts";

/** Exit codes of the command line: 1 broken, 64 wrong use. */
const EXIT_BROKEN = 1;
const EXIT_USAGE = 64;

/**
 * Says why the app does not start and returns the exit code. The folder's other window is already open, so a second start
 * prints its line and goes; anything else gets a message box too, since a double click shows no terminal.
 */
export function explainFailedStart(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`highwater: ${message}\n`);
  const code = error instanceof AppError ? error.code : null;
  if (code === "data-folder-in-use") return EXIT_BROKEN;
  const isTerminal = process.stderr.isTTY || process.env["CI"] !== undefined;
  if (!isTerminal) dialog.showErrorBox("Highwater cannot start", message);
  return code === "usage" ? EXIT_USAGE : EXIT_BROKEN;
}
