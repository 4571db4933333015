import { appendRow, type TableRows } from "../protocol/table-rows.ts";
import type { GoldWindow, WindowState } from "./gold-table.ts";
import type { WindowBounds } from "./window-of.ts";

/** Appends a window's rows, with its own columns in front. */
export function appendWindowRows(
  rows: TableRows,
  source: string,
  bounds: WindowBounds,
  state: WindowState,
  window: GoldWindow,
  which: "changed" | "all",
): void {
  for (const row of window.rows(which)) {
    appendRow(rows, [source, bounds.startUs, bounds.lengthMs, state, ...row]);
  }
}
