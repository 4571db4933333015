import { existsSync } from "node:fs";
import { sqlName, sqlText } from "../../duckdb/open-duckdb.ts";
import type { ScanOptions } from "../../model/lake.ts";
import type { ColumnDef, ColumnType, TableDef } from "../../model/table.ts";
import type { SealedFile } from "./lake-catalog.ts";

/** DuckDB's name of a column type. */
export const DUCKDB_TYPES: Readonly<Record<ColumnType, string>> = {
  int64: "BIGINT",
  boolean: "BOOLEAN",
  varchar: "VARCHAR",
  json: "JSON",
  timestamptz: "TIMESTAMPTZ",
  blob: "BLOB",
};

/**
 * `read_parquet(…)` over files of a table, with the columns found by field id: a renamed column keeps its data and one that a
 * file lacks reads as null.
 */
export function readParquetCall(files: readonly SealedFile[], columns: readonly ColumnDef[]): string {
  const paths = files.map((file) => sqlText(file.path)).join(", ");
  const fields = columns.map(
    (column) =>
      `${column.id}: {name: ${sqlText(column.name)}, type: ${sqlText(DUCKDB_TYPES[column.type])}, default_value: NULL}`,
  );
  return `read_parquet([${paths}], schema = MAP {${fields.join(", ")}})`;
}

/** The query of a scan over sealed files, rows in file order. */
export function sealedRowsQuery(
  table: TableDef,
  columns: readonly ColumnDef[],
  files: readonly SealedFile[],
  options: Omit<ScanOptions, "at" | "columns">,
): string {
  const names = columns.map((column) => sqlName(column.name)).join(", ");
  const has = (name: string): boolean => table.columns.some((column) => column.name === name);
  const conditions: string[] = [];
  const add = (
    column: string,
    value: string | number | undefined,
    sql: (value: string | number) => string,
  ): void => {
    if (value !== undefined && has(column)) conditions.push(sql(value));
  };
  add("source", options.source, (value) => `"source" = ${sqlText(String(value))}`);
  add("log_offset", options.fromOffset, (value) => `"log_offset" >= ${value}`);
  add("log_offset", options.toOffset, (value) => `"log_offset" <= ${value}`);
  add("event_time", options.eventTimeFromUs, (value) => `"event_time" >= make_timestamptz(${value})`);
  add("event_time", options.eventTimeToUs, (value) => `"event_time" <= make_timestamptz(${value})`);
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  return `SELECT ${names} FROM ${readParquetCall(files, table.columns)}${where}`;
}

/** True where a file that the catalog named is no longer there. */
export function isFileGone(file: SealedFile): boolean {
  return !existsSync(file.path);
}
