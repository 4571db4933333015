/**
 * Types a column can have: a subset of DuckLake's with one JavaScript form each.
 * int64: safe integer. timestamptz: whole microseconds since 1970 UTC (safe integer). json: well-formed JSON text.
 */
export type ColumnType = "int64" | "boolean" | "varchar" | "json" | "timestamptz" | "blob";

/**
 * A value in a cell: int64 and timestamptz as number, boolean as boolean, varchar and json as string, or as its UTF-8
 * bytes (raw text goes from the log to the page as bytes), blob as bytes.
 */
export type CellValue = number | boolean | string | Uint8Array | null;

/** One column. `id` is DuckLake's column id and Parquet's field id: unique in the table for ever, kept through renames. */
export type ColumnDef = {
  readonly id: number;
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
};

/** Schemas of the lake. */
export type SchemaName = "main" | "bronze" | "silver" | "gold";

/**
 * A table of the lake. `append` tables only grow. `window` tables hold one row per key; rows of open windows are
 * replaced, rows of settled windows change only by amend.
 */
export type TableDef = {
  readonly schema: SchemaName;
  readonly name: string;
  readonly kind: "append" | "window";
  readonly columns: readonly ColumnDef[];
  /** Names of the columns that identify a row: (source, log_offset) for append tables, the window key otherwise. */
  readonly key: readonly string[];
};

/** Rows of one table, column by column; every array has `rowCount` entries, in the order of `table.columns`. */
export type TableBatch = {
  readonly table: TableDef;
  readonly rowCount: number;
  readonly columns: readonly (readonly CellValue[])[];
};

/** `schema.name`, the form used in messages, reports and the command line. */
export function qualifiedName(table: Pick<TableDef, "schema" | "name">): string {
  return `${table.schema}.${table.name}`;
}

/** Builds column definitions with ids 1… in the order given; a leading `?` on the type marks the column nullable. */
export function defineColumns(
  columns: Readonly<Record<string, ColumnType | `?${ColumnType}`>>,
): readonly ColumnDef[] {
  return Object.entries(columns).map(([name, spec], index) => {
    const nullable = spec.startsWith("?");
    return { id: index + 1, name, type: (nullable ? spec.slice(1) : spec) as ColumnType, nullable };
  });
}
