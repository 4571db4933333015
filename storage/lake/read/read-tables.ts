import { z } from "zod";
import type { SnapshotId } from "../../model/brand.ts";
import type { ColumnDef, TableDef } from "../../model/table.ts";
import type { CatalogDatabase } from "../catalog/open-catalog.ts";

/** A table as one snapshot has it, with its place in the catalog. */
export type ReadTable = {
  readonly def: TableDef;
  readonly tableId: number;
  /** Folder of its files below the lake's data folder. */
  readonly folder: string;
  /** SQLite tables that hold its hot rows (one per schema version), each with the columns it has. */
  readonly hotTables: readonly HotSource[];
};

/** One SQLite table of hot rows. */
export type HotSource = { readonly name: string; readonly columns: ReadonlySet<string> };

const tableRow = z.object({
  table_id: z.int(),
  schema_name: z.enum(["main", "bronze", "silver", "gold"]),
  table_name: z.string(),
  schema_path: z.string(),
  table_path: z.string(),
});
const columnRow = z.object({
  column_id: z.int(),
  column_name: z.string(),
  column_type: z.enum(["int64", "boolean", "varchar", "json", "timestamptz", "blob"]),
  nulls_allowed: z.int(),
});
const VISIBLE = "begin_snapshot <= @at AND (end_snapshot IS NULL OR end_snapshot > @at)";

/** All tables that the snapshot has, in the order of their creation; in the caller's transaction. */
export function readTables(database: CatalogDatabase, at: SnapshotId): readonly ReadTable[] {
  const rows = database
    .prepare(
      `SELECT t.table_id, s.schema_name, t.table_name, s.path AS schema_path, t.path AS table_path
       FROM (SELECT * FROM ducklake_table WHERE ${VISIBLE}) t
       JOIN (SELECT * FROM ducklake_schema WHERE ${VISIBLE}) s ON s.schema_id = t.schema_id
       ORDER BY t.table_id`,
    )
    .all({ at });
  return z
    .array(tableRow)
    .parse(rows)
    .map((row): ReadTable => {
      const hotNames = database
        .prepare<[number], string>(
          "SELECT table_name FROM ducklake_inlined_data_tables WHERE table_id = ? ORDER BY schema_version",
        )
        .pluck()
        .all(row.table_id);
      const hotTables = hotNames.map((name) => ({ name, columns: columnNames(database, name) }));
      const key = windowKey(database, hotNames);
      const def: TableDef = {
        schema: row.schema_name,
        name: row.table_name,
        kind: key === null ? "append" : "window",
        columns: readColumns(database, row.table_id, at),
        key: key ?? ["source", "log_offset"],
      };
      return { def, tableId: row.table_id, folder: `${row.schema_path}${row.table_path}`, hotTables };
    });
}

function readColumns(database: CatalogDatabase, tableId: number, at: SnapshotId): readonly ColumnDef[] {
  const rows = database
    .prepare(`SELECT * FROM ducklake_column WHERE table_id = @tableId AND ${VISIBLE} ORDER BY column_order`)
    .all({ tableId, at });
  return z
    .array(columnRow)
    .parse(rows)
    .map((row) => ({
      id: row.column_id,
      name: row.column_name,
      type: row.column_type,
      nullable: row.nulls_allowed === 1,
    }));
}

/** DuckLake has no keys; the writer's unique index on live hot rows says which columns make a window's key. */
function windowKey(database: CatalogDatabase, hotNames: readonly string[]): readonly string[] | null {
  const newest = hotNames.at(-1);
  if (newest === undefined) return null;
  const index = newest.replace("ducklake_inlined_data_", "hw_key_");
  const columns = database
    .prepare<[string], string>("SELECT name FROM pragma_index_info(?) ORDER BY seqno")
    .pluck()
    .all(index);
  return columns.length > 0 ? columns : null;
}

function columnNames(database: CatalogDatabase, table: string): ReadonlySet<string> {
  return new Set(
    database.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table),
  );
}
