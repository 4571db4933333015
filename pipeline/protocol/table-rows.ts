import type { CellValue, TableBatch, TableDef } from "#storage/model/table.ts";

/** Rows of one table while a batch is being built, column by column, in the order of the table's columns. */
export type TableRows = {
  readonly table: TableDef;
  readonly columns: CellValue[][];
};

/** An empty set of rows of `table`. */
export function createTableRows(table: TableDef): TableRows {
  return { table, columns: table.columns.map(() => []) };
}

/** Appends one row. Throws a RangeError when the number of values is not that of the columns. */
export function appendRow(rows: TableRows, values: readonly CellValue[]): void {
  const { columns } = rows;
  if (values.length !== columns.length) {
    throw new RangeError(`${rows.table.name}: ${values.length} values for ${columns.length} columns`);
  }
  for (let index = 0; index < values.length; index += 1) columns[index]?.push(values[index] ?? null);
}

/** Number of rows so far. */
export function rowCountOf(rows: TableRows): number {
  return rows.columns[0]?.length ?? 0;
}

/** The rows as a batch; the builder must not be used afterwards. */
export function toTableBatch(rows: TableRows): TableBatch {
  return { table: rows.table, rowCount: rowCountOf(rows), columns: rows.columns };
}

/** The rows so far as a batch for `pack`, which must be done with them when it returns; afterwards the builder is empty. */
export function takeRows<T>(rows: TableRows, pack: (batch: TableBatch) => T): T {
  const taken = pack(toTableBatch(rows));
  for (const column of rows.columns) column.length = 0;
  return taken;
}

/** The batches of those builders that hold rows. */
export function nonEmptyBatches(all: readonly TableRows[]): readonly TableBatch[] {
  return all.filter((rows) => rowCountOf(rows) > 0).map(toTableBatch);
}
