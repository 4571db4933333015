import type { CellValue, ColumnDef, TableBatch, TableDef } from "#storage/model/table.ts";

/**
 * One column in few large pieces of memory: a string or view of its own per cell is what crossing to another thread would
 * cost. `values` and `lengths` have a place for every row; in `nulls` 1 stands for a row without a value.
 */
export type PackedColumn =
  | { readonly form: "numbers"; readonly values: Float64Array<ArrayBuffer>; readonly nulls: Nulls }
  | { readonly form: "booleans"; readonly values: Uint8Array<ArrayBuffer>; readonly nulls: Nulls }
  /** The same text in every row: source, kind, stream, topic, schema. */
  | { readonly form: "same"; readonly text: string; readonly rowCount: number }
  | { readonly form: "texts"; readonly joined: string; readonly lengths: Lengths }
  | {
      readonly form: "bytes";
      readonly joined: Uint8Array<ArrayBuffer>;
      readonly lengths: Lengths;
      /** Those cells of the column that are texts, by row: raw records that had to be changed. */
      readonly texts: readonly (readonly [number, string])[];
    };

type Nulls = Uint8Array<ArrayBuffer> | null;
type Lengths = Uint32Array<ArrayBuffer>;

/** A batch of rows in a form that is cheap to post. */
export type PackedRows = {
  readonly schema: TableDef["schema"];
  readonly name: string;
  readonly rowCount: number;
  readonly columns: readonly PackedColumn[];
};

/** Stands in `lengths` for null. A cell that long cannot be: V8's longest string has 2^29 − 24 units. */
const NULL_LENGTH = 0xffff_ffff;

/** Packs a batch. Throws a TypeError for a cell that its column cannot hold. */
export function packRows({ table, rowCount, columns }: TableBatch): PackedRows {
  const packed = table.columns.map((column, index) => packColumn(column, columns[index] ?? [], rowCount));
  return { schema: table.schema, name: table.name, rowCount, columns: packed };
}

/** The rows again, cell by cell what they were; `pieces` are of one batch of `table`, in order. */
export function unpackRows(table: TableDef, pieces: readonly PackedRows[]): TableBatch {
  const columns = table.columns.map(({ name }, index) => {
    const cells: CellValue[] = [];
    for (const piece of pieces) {
      const column = piece.columns[index];
      if (column === undefined) throw new TypeError(`${table.name}: packed rows without column ${name}`);
      appendCells(cells, column);
    }
    return cells;
  });
  return { table, rowCount: pieces.reduce((sum, { rowCount }) => sum + rowCount, 0), columns };
}

/** The memory of packed rows, to hand over instead of copying it. */
export function memoryOf({ columns }: PackedRows): ArrayBuffer[] {
  return columns.flatMap((column) => {
    switch (column.form) {
      case "numbers":
      case "booleans":
        return column.nulls === null ? [column.values.buffer] : [column.values.buffer, column.nulls.buffer];
      case "same":
        return [];
      case "texts":
        return [column.lengths.buffer];
      case "bytes":
        return [column.joined.buffer, column.lengths.buffer];
    }
  });
}

function packColumn(column: ColumnDef, cells: readonly CellValue[], rowCount: number): PackedColumn {
  if (cells.length !== rowCount) throw new TypeError(`column ${column.name} has fewer cells than rows`);
  switch (column.type) {
    case "int64":
    case "timestamptz":
      return packNumbers(column, cells);
    case "boolean":
      return packBooleans(column, cells);
    case "varchar":
    case "json":
    case "blob":
      return packTextsOrBytes(column, cells);
  }
}

function packNumbers(column: ColumnDef, cells: readonly CellValue[]): PackedColumn {
  const values = new Float64Array(cells.length);
  let nulls: Nulls = null;
  for (let row = 0; row < cells.length; row += 1) {
    const cell = cells[row];
    if (typeof cell === "number") values[row] = cell;
    else if (cell === null) (nulls ??= new Uint8Array(cells.length))[row] = 1;
    else throw wrongCell(column, cell);
  }
  return { form: "numbers", values, nulls };
}

function packBooleans(column: ColumnDef, cells: readonly CellValue[]): PackedColumn {
  const values = new Uint8Array(cells.length);
  let nulls: Nulls = null;
  for (let row = 0; row < cells.length; row += 1) {
    const cell = cells[row];
    if (typeof cell === "boolean") values[row] = cell ? 1 : 0;
    else if (cell === null) (nulls ??= new Uint8Array(cells.length))[row] = 1;
    else throw wrongCell(column, cell);
  }
  return { form: "booleans", values, nulls };
}

function packTextsOrBytes(column: ColumnDef, cells: readonly CellValue[]): PackedColumn {
  const [text] = cells;
  if (typeof text === "string" && cells.every((cell) => cell === text))
    return { form: "same", text, rowCount: cells.length };
  return cells.some((cell) => cell instanceof Uint8Array)
    ? packBytes(column, cells)
    : packTexts(column, cells);
}

function packTexts(column: ColumnDef, cells: readonly CellValue[]): PackedColumn {
  const lengths = new Uint32Array(cells.length);
  for (let row = 0; row < cells.length; row += 1) {
    const cell = cells[row];
    if (typeof cell === "string") lengths[row] = cell.length;
    else if (cell === null) lengths[row] = NULL_LENGTH;
    else throw wrongCell(column, cell);
  }
  // `join` writes nothing for null, and a text of one length per cell needs no separator.
  return { form: "texts", joined: cells.join(""), lengths };
}

function packBytes(column: ColumnDef, cells: readonly CellValue[]): PackedColumn {
  const lengths = new Uint32Array(cells.length);
  const texts: [number, string][] = [];
  let total = 0;
  cells.forEach((cell, row) => {
    if (cell instanceof Uint8Array) {
      lengths[row] = cell.byteLength;
      total += cell.byteLength;
    } else if (cell === null) lengths[row] = NULL_LENGTH;
    else if (typeof cell === "string") texts.push([row, cell]);
    else throw wrongCell(column, cell);
  });
  const joined = new Uint8Array(total);
  let position = 0;
  for (const cell of cells) {
    if (!(cell instanceof Uint8Array)) continue;
    joined.set(cell, position);
    position += cell.byteLength;
  }
  return { form: "bytes", joined, lengths, texts };
}

function appendCells(cells: CellValue[], column: PackedColumn): void {
  switch (column.form) {
    case "numbers":
      appendFixed(cells, column.values, column.nulls, (value) => value);
      return;
    case "booleans":
      appendFixed(cells, column.values, column.nulls, (value) => value === 1);
      return;
    case "same":
      for (let row = 0; row < column.rowCount; row += 1) cells.push(column.text);
      return;
    case "texts":
      appendVarying(cells, column.lengths, (from, to) => column.joined.slice(from, to));
      return;
    case "bytes": {
      const first = cells.length;
      appendVarying(cells, column.lengths, (from, to) => column.joined.subarray(from, to));
      for (const [row, text] of column.texts) cells[first + row] = text;
    }
  }
}

function appendFixed(
  cells: CellValue[],
  values: Float64Array | Uint8Array,
  nulls: Nulls,
  toCell: (value: number) => CellValue,
): void {
  for (let row = 0; row < values.length; row += 1)
    cells.push(nulls !== null && nulls[row] === 1 ? null : toCell(values[row] ?? 0));
}

function appendVarying(
  cells: CellValue[],
  lengths: Lengths,
  cut: (from: number, to: number) => CellValue,
): void {
  let position = 0;
  for (const length of lengths) {
    if (length === NULL_LENGTH) cells.push(null);
    else {
      cells.push(cut(position, position + length));
      position += length;
    }
  }
}

function wrongCell(column: ColumnDef, cell: CellValue | undefined): TypeError {
  return new TypeError(`column ${column.name} (${column.type}) cannot hold ${typeof cell}`);
}
