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
  const rows = new RowMarks(slices, column);
  const values = new Float64Array(rows.rowCount);
  let used = 0;
  for (const { batch, from, to } of slices) {
    const cells = batch.columns[columnIndex] ?? [];
    for (let index = from; index < to; index += 1) {
      const cell = cells[index];
      if (typeof cell === "number" && Number.isSafeInteger(cell)) {
        values[used] = cell;
        used += 1;
      } else rows.skipNull(cell, used);
    }
  }
  return { ...rows.marks(), values: values.subarray(0, used) };
}

/** Booleans as 0 and 1. */
export function gatherBooleans(
  slices: readonly RowSlice[],
  columnIndex: number,
  column: ColumnDef,
): ColumnCells<Uint8Array> {
  const rows = new RowMarks(slices, column);
  const values = new Uint8Array(rows.rowCount);
  let used = 0;
  for (const { batch, from, to } of slices) {
    const cells = batch.columns[columnIndex] ?? [];
    for (let index = from; index < to; index += 1) {
      const cell = cells[index];
      if (typeof cell === "boolean") {
        values[used] = cell ? 1 : 0;
        used += 1;
      } else rows.skipNull(cell, used);
    }
  }
  return { ...rows.marks(), values: values.subarray(0, used) };
}

/** Texts and bytes as they are. */
export function gatherBytes(
  slices: readonly RowSlice[],
  columnIndex: number,
  column: ColumnDef,
): ColumnCells<readonly (string | Uint8Array)[]> {
  const rows = new RowMarks(slices, column);
  const values: (string | Uint8Array)[] = [];
  const textAllowed = column.type !== "blob";
  for (const { batch, from, to } of slices) {
    const cells = batch.columns[columnIndex] ?? [];
    for (let index = from; index < to; index += 1) {
      const cell = cells[index];
      if ((typeof cell === "string" && textAllowed) || cell instanceof Uint8Array) values.push(cell);
      else rows.skipNull(cell, values.length);
    }
  }
  return { ...rows.marks(), values };
}

/** Which rows of a column have a value. Told of nulls only, so that a column without any costs nothing here. */
class RowMarks {
  readonly rowCount: number;
  readonly #column: ColumnDef;
  #present: Uint8Array | null = null;
  #nulls = 0;

  constructor(slices: readonly RowSlice[], column: ColumnDef) {
    this.rowCount = slices.reduce((sum, slice) => sum + slice.to - slice.from, 0);
    this.#column = column;
  }

  /** A row behind `used` values that has none. Throws where the column cannot hold what is there instead. */
  skipNull(cell: CellValue | undefined, used: number): void {
    const { name, nullable } = this.#column;
    if (cell === undefined) throw new TypeError(`column ${name} has fewer cells than rows`);
    if (cell !== null) throw wrongCell(this.#column, cell);
    if (!nullable) throw new TypeError(`column ${name} must not be null`);
    this.#present ??= new Uint8Array(this.rowCount).fill(1);
    this.#present[used + this.#nulls] = 0;
    this.#nulls += 1;
  }

  marks(): { readonly rowCount: number; readonly present: Uint8Array | null } {
    return { rowCount: this.rowCount, present: this.#present };
  }
}

function wrongCell(column: ColumnDef, cell: CellValue): TypeError {
  return new TypeError(
    `column ${column.name} (${column.type}) cannot hold ${typeof cell} ${String(cell).slice(0, 80)}`,
  );
}
