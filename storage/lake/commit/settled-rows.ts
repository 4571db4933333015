import type { CellValue, TableBatch } from "../../model/table.ts";
import { batchOfRows, batchRow } from "../catalog/cells.ts";
import { OPEN_STATE, type LakeTable } from "../catalog/lake-table.ts";

/** Rows of a window table that settle now, ordered by key as every file is, and the others. */
export function splitSettled(
  table: LakeTable,
  batch: TableBatch,
): { readonly settled: TableBatch; readonly open: TableBatch } {
  const settled: (readonly CellValue[])[] = [];
  const open: (readonly CellValue[])[] = [];
  const states = batch.columns[table.stateIndex] ?? [];
  for (let row = 0; row < batch.rowCount; row += 1) {
    (states[row] === OPEN_STATE ? open : settled).push(batchRow(batch, row));
  }
  settled.sort((left, right) => compareKeys(table.keyIndexes, left, right));
  return { settled: batchOfRows(table.def, settled), open: batchOfRows(table.def, open) };
}

/** Key cells are numbers or texts, and of one kind in a column. */
function compareKeys(
  keyIndexes: readonly number[],
  left: readonly CellValue[],
  right: readonly CellValue[],
): number {
  for (const index of keyIndexes) {
    const [a, b] = [left[index] ?? 0, right[index] ?? 0];
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}
