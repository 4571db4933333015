import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppStores } from "#renderer/stores/app-stores.ts";
import { formatCount } from "../format.ts";
import { copyCell, copyCells, type CopyFormat } from "./copy-cells.ts";
import { rangeOf, type GridView } from "./grid-view.ts";
import { wholeRows } from "./whole-cells.ts";

/** How the window copies cells, remembered. */
export type CopyChoice = { readonly hasNames: boolean; readonly isForSpreadsheet: boolean };

type Copier = Pick<AppStores, "bridge" | "memory" | "notifications">;

const MEMORY_NAME = "grid.copy";

/** The choice of this window. */
export function readCopyChoice({ memory }: Pick<Copier, "memory">): CopyChoice {
  const saved = memory.get(MEMORY_NAME);
  const { hasNames, isForSpreadsheet }: Record<string, unknown> =
    typeof saved === "object" && saved !== null ? { ...saved } : {};
  return { hasNames: hasNames !== false, isForSpreadsheet: isForSpreadsheet === true };
}

/** Remembers a choice. */
export function chooseCopy(copier: Pick<Copier, "memory">, change: Partial<CopyChoice>): void {
  copier.memory.set(MEMORY_NAME, { ...readCopyChoice(copier), ...change });
}

/** What was copied last, for the grid's status line. */
export type CopyStatus = StoreApi<{ readonly text: string }>;

export function createCopyStatus(): CopyStatus {
  return createStore(() => ({ text: "" }));
}

/** Copies the selected cells: one as its own text, several as lines with tabs. */
export async function copySelection(copier: Copier, view: GridView, status: CopyStatus): Promise<void> {
  const { page, order, anchor, focus } = view.store.getState();
  const range = rangeOf({ anchor, focus });
  const rows = order.slice(range.fromRow, range.toRow + 1);
  const columns = [...page.columns.keys()].slice(range.fromColumn, range.toColumn + 1);
  const { isForSpreadsheet } = readCopyChoice(copier);
  const options = { format: "tsv", hasNames: false, isForSpreadsheet } as const;
  await copy(copier, view, { rows, columns, status }, (cells) =>
    rows.length === 1 && columns.length === 1 && !isForSpreadsheet
      ? copyCell(cells.rows[0]?.[0] ?? null)
      : copyCells(cells, options),
  );
}

/** Copies every row that is shown, in its order. */
export async function copyAll(
  copier: Copier,
  view: GridView,
  status: CopyStatus,
  format: CopyFormat,
): Promise<void> {
  const { page, order } = view.store.getState();
  const options = { format, ...readCopyChoice(copier) };
  const columns = [...page.columns.keys()];
  await copy(copier, view, { rows: order, columns, status }, (cells) => copyCells(cells, options));
}

type Part = {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  readonly status: CopyStatus;
};

async function copy(
  { bridge, notifications }: Copier,
  view: GridView,
  { rows, columns, status }: Part,
  toText: (cells: Parameters<typeof copyCells>[0]) => string,
): Promise<void> {
  const { page } = view.store.getState();
  const answer = await wholeRows(bridge, page, rows, columns);
  if (!answer.ok) {
    notifications.tell({ tone: "bad", text: "The cells were not copied.", detail: answer.error.message });
    return;
  }
  const definitions = columns.flatMap((column) => page.columns[column] ?? []);
  try {
    await navigator.clipboard.writeText(toText({ columns: definitions, rows: answer.value }));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    notifications.tell({ tone: "bad", text: "The clipboard did not take the cells.", detail });
    return;
  }
  const cells = rows.length * columns.length;
  status.setState({ text: cells === 1 ? "1 cell copied" : `${formatCount(cells)} cells copied` });
}
