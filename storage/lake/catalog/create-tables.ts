import { qualifiedName, type ColumnDef, type SchemaName, type TableDef } from "../../model/table.ts";
import { findLakeTable, lakeTable, type LakeTable } from "./lake-table.ts";
import type { CatalogDatabase } from "./open-catalog.ts";
import { formatTimestamp } from "./timestamps.ts";

type Head = {
  snapshot_id: number;
  snapshot_time: string;
  schema_version: number;
  next_catalog_id: number;
  next_file_id: number;
};

/** Quotes an identifier for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * The lake's tables in the order of `defs`. Those that the catalog lacks are created in one schema snapshot, in the
 * caller's transaction. `commitTimeUs` must be later than the newest snapshot's time.
 */
export function ensureTables(
  database: CatalogDatabase,
  defs: readonly TableDef[],
  commitTimeUs: number,
): readonly LakeTable[] {
  const missing = defs.filter((def) => findLakeTable(database, def) === null);
  if (missing.length > 0) createTables(database, missing, commitTimeUs);
  return defs.map((def) => {
    const table = findLakeTable(database, def);
    if (table === null) throw new RangeError(`${qualifiedName(def)} was not created`);
    return table;
  });
}

function createTables(database: CatalogDatabase, defs: readonly TableDef[], commitTimeUs: number): void {
  const head = database
    .prepare<[], Head>("SELECT * FROM ducklake_snapshot ORDER BY snapshot_id DESC LIMIT 1")
    .get();
  if (head === undefined) throw new RangeError("the catalog has no snapshot");
  const snapshotId = head.snapshot_id + 1;
  const schemaVersion = head.schema_version + 1;
  let nextId = head.next_catalog_id;
  const changes: string[] = [];

  const schemaIds = new Map<SchemaName, number>();
  for (const def of defs) {
    let schemaId = schemaIds.get(def.schema) ?? findSchema(database, def.schema);
    if (schemaId === null) {
      schemaId = nextId++;
      database
        .prepare("INSERT INTO ducklake_schema VALUES (?, ?, ?, NULL, ?, ?, 1)")
        .run(schemaId, globalThis.crypto.randomUUID(), snapshotId, def.schema, `${def.schema}/`);
      changes.push(`created_schema:"${def.schema}"`);
    }
    schemaIds.set(def.schema, schemaId);
    createTable(database, lakeTable(def, nextId++, schemaVersion), schemaId, snapshotId);
    changes.push(`created_table:"${def.schema}"."${def.name}"`);
  }
  database
    .prepare("INSERT INTO ducklake_snapshot VALUES (?, ?, ?, ?, ?)")
    .run(snapshotId, formatTimestamp(commitTimeUs), schemaVersion, nextId, head.next_file_id);
  database
    .prepare("INSERT INTO ducklake_snapshot_changes VALUES (?, ?, NULL, NULL, NULL)")
    .run(snapshotId, changes.join(","));
  database
    .prepare("INSERT INTO hw_commits VALUES (?, 'schema', NULL, NULL, NULL, NULL, NULL, ?, 0, 0)")
    .run(snapshotId, commitTimeUs);
  // The older tables' hashes stay what they were; the new ones are empty.
  database
    .prepare(
      `INSERT INTO hw_table_hash
       SELECT ?, t.table_id, coalesce(h.content_hash, '0000000000000000'), '0000000000000000', coalesce(h.row_count, 0)
       FROM ducklake_table t LEFT JOIN hw_table_hash h ON h.table_id = t.table_id AND h.snapshot_id = ?
       WHERE t.end_snapshot IS NULL`,
    )
    .run(snapshotId, head.snapshot_id);
}

function findSchema(database: CatalogDatabase, name: SchemaName): number | null {
  const id = database
    .prepare<[string], number>(
      "SELECT schema_id FROM ducklake_schema WHERE schema_name = ? AND end_snapshot IS NULL",
    )
    .pluck()
    .get(name);
  return id ?? null;
}

function createTable(
  database: CatalogDatabase,
  table: LakeTable,
  schemaId: number,
  snapshotId: number,
): void {
  const { def, tableId } = table;
  database
    .prepare("INSERT INTO ducklake_table VALUES (?, ?, ?, NULL, ?, ?, ?, 1)")
    .run(tableId, globalThis.crypto.randomUUID(), snapshotId, schemaId, def.name, `${def.name}/`);
  const insertColumn = database.prepare(
    "INSERT INTO ducklake_column VALUES (?, ?, NULL, ?, ?, ?, ?, NULL, 'NULL', ?, NULL, 'literal', 'duckdb')",
  );
  for (const [order, column] of def.columns.entries()) {
    insertColumn.run(
      column.id,
      snapshotId,
      tableId,
      order,
      column.name,
      column.type,
      column.nullable ? 1 : 0,
    );
  }
  database.prepare("INSERT INTO ducklake_table_stats VALUES (?, 0, 0, 0)").run(tableId);
  database
    .prepare("INSERT INTO ducklake_schema_versions VALUES (?, ?, ?)")
    .run(snapshotId, table.schemaVersion, tableId);
  database
    .prepare("INSERT INTO ducklake_inlined_data_tables VALUES (?, ?, ?)")
    .run(tableId, table.hotTable, table.schemaVersion);
  createHotTable(database, table);
}

function createHotTable(database: CatalogDatabase, table: LakeTable): void {
  const columns = table.def.columns.map((column) => `${quoteName(column.name)} ${hotType(column)}`);
  database.exec(
    `CREATE TABLE ${table.hotTable} (row_id BIGINT, begin_snapshot BIGINT, end_snapshot BIGINT, ${columns.join(", ")})`,
  );
  // Finds live rows (IS NULL) for a seal and ended ones for pruning, without reading the rows between.
  database.exec(
    `CREATE INDEX hw_end_${table.tableId}_${table.schemaVersion} ON ${table.hotTable} (end_snapshot)`,
  );
  if (table.def.kind === "window") {
    // Also a guard: one live row per key.
    database.exec(
      `CREATE UNIQUE INDEX hw_key_${table.tableId}_${table.schemaVersion}
       ON ${table.hotTable} (${table.def.key.map(quoteName).join(", ")}) WHERE end_snapshot IS NULL`,
    );
  }
}

function hotType(column: ColumnDef): string {
  switch (column.type) {
    case "int64":
    case "boolean":
      return "BIGINT";
    case "blob":
      return "BLOB";
    case "varchar":
    case "json":
    case "timestamptz":
      return "VARCHAR";
  }
}
