import type { CellValue, ColumnType, TableBatch } from "../../model/table.ts";
import { cellPlaceholder, decodeCell, encodeCell, hotRowBytes, type SqlValue } from "./cells.ts";
import { quoteName } from "./create-tables.ts";
import { OPEN_STATE, type LakeTable } from "./lake-table.ts";
import type { CatalogDatabase } from "./open-catalog.ts";

/** A hot row as it lies in the catalog. */
export type HotRow = {
  /** SQLite's own row number, which names this version of the row. */
  readonly rowNumber: number;
  /** DuckLake's row id, kept through updates. */
  readonly rowId: number;
  readonly cells: readonly CellValue[];
  /** Size in the catalog, about. */
  readonly bytes: number;
};

/** Which live rows: those of open windows, or all others. */
export type LiveRows = "open" | "final";

function prepareStatements(database: CatalogDatabase, table: LakeTable) {
  const { def, hotTable } = table;
  const names = def.columns.map((column) => quoteName(column.name)).join(", ");
  const values = def.columns.map(cellPlaceholder).join(", ");
  const keyColumns = table.keyIndexes.flatMap((index) => def.columns[index] ?? []);
  const keyOrder = keyColumns.map((column) => quoteName(column.name)).join(", ");
  const keyMatch = keyColumns.map((column) => `${quoteName(column.name)} = ${cellPlaceholder(column)}`);
  const row = `SELECT rowid, row_id, ${names} FROM ${hotTable}`;
  const isOpen = table.stateIndex < 0 ? "FALSE" : `"state" = '${OPEN_STATE}'`;
  const listLive = (filter: string) =>
    database
      .prepare<[], number>(
        `SELECT rowid FROM ${hotTable} WHERE end_snapshot IS NULL AND ${filter} ORDER BY ${keyOrder}`,
      )
      .pluck();
  return {
    insert: database.prepare<[SqlValue[]]>(
      `INSERT INTO ${hotTable} (row_id, begin_snapshot, ${names}) VALUES (?, ?, ${values})`,
    ),
    find: database
      .prepare<[SqlValue[]], unknown[]>(`${row} WHERE end_snapshot IS NULL AND ${keyMatch.join(" AND ")}`)
      .raw(),
    at: database.prepare<[number], unknown[]>(`${row} WHERE rowid = ?`).raw(),
    end: database.prepare<[number, number]>(`UPDATE ${hotTable} SET end_snapshot = ? WHERE rowid = ?`),
    endLive: database.prepare<[number]>(`UPDATE ${hotTable} SET end_snapshot = ? WHERE end_snapshot IS NULL`),
    copy: database.prepare<[number, number, number]>(
      `INSERT INTO ${hotTable} (row_id, begin_snapshot, ${names}) SELECT ?, ?, ${names} FROM ${hotTable} WHERE rowid = ?`,
    ),
    countLive: database
      .prepare<[], number>(`SELECT count(*) FROM ${hotTable} WHERE end_snapshot IS NULL`)
      .pluck(),
    deleteEnded: database.prepare<[number, number, number, number]>(
      `DELETE FROM ${hotTable} WHERE rowid IN (SELECT rowid FROM ${hotTable}
       WHERE end_snapshot > ? AND end_snapshot <= ? AND begin_snapshot > ? LIMIT ?)`,
    ),
    open: listLive(isOpen),
    final: listLive(`NOT (${isOpen})`),
  };
}

/**
 * One table's hot rows (DuckLake's inlined data), with statements prepared once. Every write belongs into the caller's
 * transaction; nothing here counts or hashes.
 */
export class HotTable {
  readonly table: LakeTable;
  readonly #types: readonly ColumnType[];
  readonly #statements: ReturnType<typeof prepareStatements>;

  constructor(database: CatalogDatabase, table: LakeTable) {
    this.table = table;
    this.#types = table.def.columns.map((column) => column.type);
    this.#statements = prepareStatements(database, table);
  }

  /** Adds one row that begins at the snapshot. */
  insert(rowId: number, snapshotId: number, cells: readonly CellValue[]): void {
    const parameters: SqlValue[] = [rowId, snapshotId];
    for (const [index, type] of this.#types.entries())
      parameters.push(encodeCell(type, cells[index] ?? null));
    this.#statements.insert.run(parameters);
  }

  /** Adds a batch with row ids from `firstRowId` on. */
  insertBatch(firstRowId: number, snapshotId: number, batch: TableBatch): void {
    for (let row = 0; row < batch.rowCount; row += 1) {
      const parameters: SqlValue[] = [firstRowId + row, snapshotId];
      for (let column = 0; column < this.#types.length; column += 1) {
        const type = this.#types[column];
        const value = batch.columns[column]?.[row] ?? null;
        parameters.push(type === undefined ? null : encodeCell(type, value));
      }
      this.#statements.insert.run(parameters);
    }
  }

  /** The live row with the key of `cells` (a whole row), or null. */
  find(cells: readonly CellValue[]): HotRow | null {
    const key = this.table.keyIndexes.map((index) => {
      const type = this.#types[index];
      return type === undefined ? null : encodeCell(type, cells[index] ?? null);
    });
    const raw = this.#statements.find.get(key);
    return raw === undefined ? null : this.#toRow(raw);
  }

  /** The row of that number. Throws a RangeError where there is none. */
  at(rowNumber: number): HotRow {
    const raw = this.#statements.at.get(rowNumber);
    if (raw === undefined) throw new RangeError(`${this.table.hotTable} has no row ${rowNumber}`);
    return this.#toRow(raw);
  }

  /** Row numbers of the live rows, ordered by key. */
  liveRowNumbers(which: LiveRows): readonly number[] {
    return this.#statements[which].all();
  }

  countLive(): number {
    return this.#statements.countLive.get() ?? 0;
  }

  /** Ends one row at the snapshot. */
  end(rowNumber: number, snapshotId: number): void {
    this.#statements.end.run(snapshotId, rowNumber);
  }

  /** Ends every live row at the snapshot; returns how many. */
  endAllLive(snapshotId: number): number {
    return this.#statements.endLive.run(snapshotId).changes;
  }

  /** Lets the row of that number begin again at the snapshot, under `rowId`. */
  beginAgain(rowNumber: number, rowId: number, snapshotId: number): void {
    this.#statements.copy.run(rowId, snapshotId, rowNumber);
  }

  /** Deletes up to `limit` rows that begin behind snapshot `after` and end at or before `upTo`; returns how many. */
  deleteEnded(after: number, upTo: number, limit: number): number {
    return this.#statements.deleteEnded.run(after, upTo, after, limit).changes;
  }

  #toRow(raw: readonly unknown[]): HotRow {
    const cells = raw.slice(2);
    return {
      rowNumber: Number(raw[0]),
      rowId: Number(raw[1]),
      cells: this.#types.map((type, index) => decodeCell(type, cells[index] ?? null)),
      bytes: hotRowBytes(cells),
    };
  }
}
