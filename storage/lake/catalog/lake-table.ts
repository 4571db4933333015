import { AppError } from "../../model/errors.ts";
import { qualifiedName, type TableDef } from "../../model/table.ts";
import type { CatalogDatabase } from "./open-catalog.ts";

/** A table of the lake with its place in the catalog. */
export type LakeTable = {
  readonly def: TableDef;
  readonly tableId: number;
  readonly schemaVersion: number;
  /** Name of the SQLite table with its hot rows (DuckLake's inlined data). */
  readonly hotTable: string;
  /** Folder of its Parquet files below `data_path`, ends in `/`. */
  readonly folder: string;
  /** Positions of the key columns in `def.columns`. */
  readonly keyIndexes: readonly number[];
  /** Position of the column that says whether a window row is open; -1 for append tables. */
  readonly stateIndex: number;
};

/** `state` of a window row that the stream may still replace; every other state is final. */
export const OPEN_STATE = "open";

/** A table of the catalog by its ids. */
export function lakeTable(def: TableDef, tableId: number, schemaVersion: number): LakeTable {
  const keyIndexes = def.key.map((name) => columnIndex(def, name));
  return {
    def,
    tableId,
    schemaVersion,
    hotTable: `ducklake_inlined_data_${tableId}_${schemaVersion}`,
    folder: `${def.schema}/${def.name}/`,
    keyIndexes,
    stateIndex: def.kind === "window" ? columnIndex(def, "state") : -1,
  };
}

function columnIndex(def: TableDef, name: string): number {
  const index = def.columns.findIndex((column) => column.name === name);
  if (index < 0) throw new RangeError(`${qualifiedName(def)} has no column ${name}`);
  return index;
}

type ColumnRow = { column_id: number; column_name: string; column_type: string; nulls_allowed: number };

/**
 * The table as the catalog has it now, or null where it lacks it.
 * Throws `data-folder-too-new` when its columns are not those of `def`: this build would write what it does not understand.
 */
export function findLakeTable(database: CatalogDatabase, def: TableDef): LakeTable | null {
  const found = database
    .prepare<[string, string], { table_id: number; schema_version: number }>(
      `SELECT t.table_id, v.schema_version FROM ducklake_table t
       JOIN ducklake_schema s ON s.schema_id = t.schema_id AND s.end_snapshot IS NULL
       JOIN ducklake_schema_versions v ON v.table_id = t.table_id
       WHERE t.end_snapshot IS NULL AND s.schema_name = ? AND t.table_name = ?
       ORDER BY v.schema_version DESC LIMIT 1`,
    )
    .get(def.schema, def.name);
  if (found === undefined) return null;
  const columns = database
    .prepare<[number], ColumnRow>(
      `SELECT column_id, column_name, column_type, nulls_allowed FROM ducklake_column
       WHERE table_id = ? AND end_snapshot IS NULL ORDER BY column_order`,
    )
    .all(found.table_id);
  const same =
    columns.length === def.columns.length &&
    def.columns.every((column, index) => isColumn(columns[index], column));
  if (!same) {
    throw new AppError("data-folder-too-new", `table ${qualifiedName(def)} of this lake has other columns`, {
      details: { table: qualifiedName(def) },
    });
  }
  return lakeTable(def, found.table_id, found.schema_version);
}

function isColumn(row: ColumnRow | undefined, column: TableDef["columns"][number]): boolean {
  return (
    row !== undefined &&
    row.column_id === column.id &&
    row.column_name === column.name &&
    row.column_type === column.type &&
    (row.nulls_allowed === 1) === column.nullable
  );
}
