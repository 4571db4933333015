import type { Bridge, BridgeAnswer } from "#main/contract/bridge.ts";
import type { CutCell, ResultPage, WireCell } from "#pipeline/protocol/query-messages.ts";
import { call } from "#renderer/bridge/call.ts";
import { formatBytes } from "../format.ts";

/** The most that is copied at once: more than any clipboard's other end takes gladly. */
const MAX_COPY_BYTES = 64 * 1_048_576;
/** Cells asked for in one command (the contract's limit is 100,000). */
const CELLS_PER_COMMAND = 50_000;

const indexes = new WeakMap<ResultPage, ReadonlyMap<number, ReadonlyMap<number, CutCell>>>();

/** Cut cells of a page's row by their column; undefined where every cell is whole. */
export function cutCellsOf(page: ResultPage, row: number): ReadonlyMap<number, CutCell> | undefined {
  let index = indexes.get(page);
  if (index === undefined) {
    const rows = new Map<number, Map<number, CutCell>>();
    for (const cut of page.cut ?? []) {
      const cells = rows.get(cut.row) ?? new Map<number, CutCell>();
      rows.set(cut.row, cells.set(cut.column, cut));
    }
    index = rows;
    indexes.set(page, index);
  }
  return index.get(row);
}

/** Rows and columns of a page, every cut cell whole. Fails as asking fails, and where it is too much for a clipboard. */
export async function wholeRows(
  bridge: Bridge,
  page: ResultPage,
  rows: readonly number[],
  columns: readonly number[],
): Promise<BridgeAnswer<readonly (readonly WireCell[])[]>> {
  const cut = rows.flatMap((row) => {
    const cells = cutCellsOf(page, row);
    return cells === undefined ? [] : columns.flatMap((column) => cells.get(column) ?? []);
  });
  const bytes = cut.reduce((sum, cell) => sum + cell.bytes, 0);
  if (bytes > MAX_COPY_BYTES) return tooMuch(bytes);
  const whole = new Map<CutCell, string>();
  for (let from = 0; from < cut.length; from += CELLS_PER_COMMAND) {
    const part = cut.slice(from, from + CELLS_PER_COMMAND);
    const cells = part.map(({ row, column }) => ({ row, column }));
    const answer = await call(bridge, "sql.cells", { keptId: page.keptId ?? "none", cells });
    if (!answer.ok) return answer;
    for (const [at, cell] of part.entries()) whole.set(cell, answer.value.texts[at] ?? "");
  }
  const value = rows.map((row) => {
    const cells = cutCellsOf(page, row);
    return columns.map((column) => {
      const cell = cells?.get(column);
      return (cell === undefined ? undefined : whole.get(cell)) ?? page.rows[row]?.[column] ?? null;
    });
  });
  return { ok: true, value };
}

function tooMuch(bytes: number): BridgeAnswer<never> {
  const message = `These cells have ${formatBytes(bytes)}, more than is copied at once; save the result as a file instead.`;
  return { ok: false, error: { code: "usage", kind: "user", message, details: { bytes } } };
}
