import type { CellValue, ColumnDef, TableBatch } from "../../model/table.ts";

/** The cells of one column in one row group: which rows have a value (null: all), and the values without the nulls. */
export type ColumnCells<T> = {
  readonly rowCount: number;
  /** 1 where the row has a value; null where every row has one. */
  readonly present: Uint8Array | null;
  readonly values: T;
};

/** Rows of one row group: parts of batches, in order. */
export type RowSlice = { readonly batch: TableBatch; readonly from: number; readonly to: number };

/** Numbers of an int64 or timestamptz column. Throws a TypeError for anything but safe integers. */
export function gatherNumbers(
  slices: readonly RowSlice[],
  columnIndex: number,
  column: ColumnDef,
): ColumnCells<Float64Array> {
  const values: number[] = [];
  const present = forEachCell(slices, columnIndex, column, (cell) => {
    if (typeof cell !== "number" || !Number.isSafeInteger(cell)) throw wrongCell(column, cell);
    values.push(cell);
  });
  return { ...present, values: new Float64Array(values) };
}

/** Booleans as 0 and 1. */
export function gatherBooleans(
  slices: readonly RowSlice[],
  columnIndex: number,
  column: ColumnDef,
): ColumnCells<Uint8Array> {
  const values: number[] = [];
  const present = forEachCell(slices, columnIndex, column, (cell) => {
    if (typeof cell !== "boolean") throw wrongCell(column, cell);
    values.push(cell ? 1 : 0);
  });
  return { ...present, values: new Uint8Array(values) };
}

/** Texts and bytes as they are. */
export function gatherBytes(
  slices: readonly RowSlice[],
  columnIndex: number,
  column: ColumnDef,
): ColumnCells<readonly (string | Uint8Array)[]> {
  const values: (string | Uint8Array)[] = [];
  const textAllowed = column.type !== "blob";
  const present = forEachCell(slices, columnIndex, column, (cell) => {
    if (!(typeof cell === "string" && textAllowed) && !(cell instanceof Uint8Array))
      throw wrongCell(column, cell);
    values.push(cell);
  });
  return { ...present, values };
}

function forEachCell(
  slices: readonly RowSlice[],
  columnIndex: number,
  column: ColumnDef,
  take: (cell: Exclude<CellValue, null>) => void,
): { rowCount: number; present: Uint8Array | null } {
  let rowCount = 0;
  for (const slice of slices) rowCount += slice.to - slice.from;
  let present: Uint8Array | null = null;
  let row = 0;
  for (const { batch, from, to } of slices) {
    const cells = batch.columns[columnIndex] ?? [];
    for (let index = from; index < to; index += 1) {
      const cell = cells[index];
      if (cell === undefined) throw new TypeError(`column ${column.name} has fewer cells than rows`);
      if (cell === null) {
        if (!column.nullable) throw new TypeError(`column ${column.name} must not be null`);
        present ??= new Uint8Array(rowCount).fill(1);
        present[row] = 0;
      } else take(cell);
      row += 1;
    }
  }
  return { rowCount, present };
}

function wrongCell(column: ColumnDef, cell: CellValue): TypeError {
  return new TypeError(
    `column ${column.name} (${column.type}) cannot hold ${typeof cell} ${String(cell).slice(0, 80)}`,
  );
}
