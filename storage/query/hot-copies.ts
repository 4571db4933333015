import { setImmediate } from "node:timers/promises";
import {
  DuckDBDataChunk,
  DuckDBTimestampTZValue,
  DuckDBBlobValue,
  BIGINT,
  BLOB,
  BOOLEAN,
  TIMESTAMPTZ,
  VARCHAR,
  type DuckDBConnection,
  type DuckDBType,
  type DuckDBValue,
} from "@duckdb/node-api";
import { sqlName } from "../duckdb/open-duckdb.ts";
import { listEndedRows, listHotRows, readHotRows, type HotPlace } from "../lake/read/hot-rows.ts";
import { unknownSnapshot, type LakeCatalog } from "../lake/read/lake-catalog.ts";
import type { ReadTable } from "../lake/read/read-tables.ts";
import { DUCKDB_TYPES } from "../lake/read/sealed-files.ts";
import type { SnapshotId } from "../model/brand.ts";
import { cancelled } from "./turn.ts";
import { qualifiedName, type CellValue, type ColumnDef, type ColumnType } from "../model/table.ts";

/** Up to so many rows all columns are copied (0.1 s): planning around missing ones takes each statement 2 ms. */
const ALL_COLUMNS_ROWS = 4_000;
/** Rows per read transaction and per chunk. */
const PAGE_ROWS = 500;
/** DuckDB frees deleted rows late, so a copy that lost this many is made anew: about the rows of one seal. */
const REBUILD_AFTER_DELETED = 20_000;

/** A copy has the columns that statements named so far; `columns` is in the table's order. */
type Copy = { snapshot: SnapshotId; rows: number; deleted: number; columns: readonly ColumnDef[] };

/** Which columns a statement reads for sure; it may turn out to read more ({@link NOT_COPIED}). */
export type WantedColumns = (column: ColumnDef) => boolean;

/** In the message of a statement that reads a column which was not copied for it: copy all and run it again. */
export const NOT_COPIED = "hw: not copied";

// JSON columns take VARCHAR vectors: the text is stored as it is, without a second parser's opinion.
const VECTOR_TYPES: Readonly<Record<ColumnType, DuckDBType>> = {
  int64: BIGINT,
  boolean: BOOLEAN,
  varchar: VARCHAR,
  json: VARCHAR,
  timestamptz: TIMESTAMPTZ,
  blob: BLOB,
};

/**
 * Copies of the lake's hot rows in DuckDB's memory, one table per lake table, each brought to a snapshot on demand: the first
 * time all rows, then only what changed. Only columns that statements name are copied: 30,000 rows of silver take 0.9 s of CPU
 * with all 35, 0.05 s with two. A column that is missing raises {@link NOT_COPIED} when it is read, never a null.
 */
export class HotCopies {
  private readonly schema: string;
  private readonly copies = new Map<string, Copy>();

  constructor(schema: string) {
    this.schema = schema;
  }

  /** Makes the schema. */
  async prepare(connection: DuckDBConnection): Promise<void> {
    await connection.run(`CREATE SCHEMA IF NOT EXISTS ${sqlName(this.schema)}`);
  }

  /**
   * Brings the copy of one table to the snapshot and returns the query of its rows, every column of the table among them. Throws
   * `snapshot-unknown` when the snapshot expires meanwhile, `statement-cancelled` once the signal came.
   */
  async bring(
    connection: DuckDBConnection,
    catalog: LakeCatalog,
    table: ReadTable,
    { at, isWanted, signal }: { at: SnapshotId; isWanted: WantedColumns; signal: AbortSignal },
  ): Promise<string> {
    const name = qualifiedName(table.def);
    const copy = this.copies.get(name);
    // The first column is what DuckDB reads where a statement only counts.
    const columns = table.def.columns.filter(
      (column, at) => at === 0 || isWanted(column) || isIn(copy, column),
    );
    const isWide = columns.length === copy?.columns.length;
    if (isWide && copy.snapshot === at) return this.rowsQuery(table, copy.columns);
    const ended = copy === undefined || !isWide ? null : this.endedSince(catalog, table, copy, at);
    const now =
      copy === undefined || ended === null
        ? await this.rebuild(connection, catalog, table, { at, columns, signal })
        : await this.advance(connection, catalog, table, { copy, ended, at, signal });
    return this.rowsQuery(table, now.columns);
  }

  /** The query for a view that nobody reads; a later {@link bring} gives it rows. */
  async makeEmpty(connection: DuckDBConnection, table: ReadTable): Promise<string> {
    const copy = this.copies.get(qualifiedName(table.def));
    if (copy === undefined) await this.create(connection, table, []);
    return this.rowsQuery(table, copy?.columns ?? []);
  }

  private rowsQuery(table: ReadTable, copied: readonly ColumnDef[]): string {
    const columns = table.def.columns.map((column) => {
      const name = sqlName(column.name);
      if (copied.some(({ id }) => id === column.id)) return name;
      // Of the row's own number, so that it is raised where a row is read and not when the statement is planned.
      return `CAST(error('${NOT_COPIED} ' || hw_row) AS ${DUCKDB_TYPES[column.type]}) AS ${name}`;
    });
    return `SELECT ${columns.join(", ")} FROM ${this.tableName(table)}`;
  }

  /** Rows that ended since the copy's snapshot, or null where the copy cannot be brought forward. */
  private endedSince(
    catalog: LakeCatalog,
    table: ReadTable,
    copy: Copy,
    at: SnapshotId,
  ): readonly HotPlace[] | null {
    // Once its snapshot is no longer kept, rows that ended may be pruned and nobody can say which.
    if (at < copy.snapshot || table.hotTables.length !== 1 || !catalog.isKept(copy.snapshot)) return null;
    const ended = listEndedRows(catalog, table, copy.snapshot, at);
    return copy.deleted + ended.length > REBUILD_AFTER_DELETED ? null : ended;
  }

  private async rebuild(
    connection: DuckDBConnection,
    catalog: LakeCatalog,
    table: ReadTable,
    wanted: { at: SnapshotId; columns: readonly ColumnDef[]; signal: AbortSignal },
  ): Promise<Copy> {
    const { at, signal } = wanted;
    const name = qualifiedName(table.def);
    this.copies.delete(name);
    const places = listHotRows(catalog, table, at, { anyOrder: true });
    const columns = places.length <= ALL_COLUMNS_ROWS ? table.def.columns : wanted.columns;
    await this.create(connection, table, columns);
    await this.append(connection, catalog, table, { places, at, columns, signal });
    const copy = { snapshot: at, rows: places.length, deleted: 0, columns };
    this.copies.set(name, copy);
    return copy;
  }

  private async advance(
    connection: DuckDBConnection,
    catalog: LakeCatalog,
    table: ReadTable,
    step: { copy: Copy; ended: readonly HotPlace[]; at: SnapshotId; signal: AbortSignal },
  ): Promise<Copy> {
    const { copy, ended, at, signal } = step;
    const name = qualifiedName(table.def);
    // By snapshot, never by row number: SQLite gives the numbers of pruned rows again, so a newer row may lie below older ones.
    // Rows of a kept snapshot are not pruned, so a number in the copy still is the row that it was.
    const added = listHotRows(catalog, table, at, { beganAfter: copy.snapshot, anyOrder: true });
    this.copies.delete(name);
    if (ended.length > 0) {
      const numbers = ended.map((place) => place.rowNumber).join(", ");
      await connection.run(`DELETE FROM ${this.tableName(table)} WHERE hw_row IN (${numbers})`);
    }
    await this.append(connection, catalog, table, { places: added, at, columns: copy.columns, signal });
    const next = {
      ...copy,
      snapshot: at,
      rows: copy.rows + added.length,
      deleted: copy.deleted + ended.length,
    };
    this.copies.set(name, next);
    return next;
  }

  private async append(
    connection: DuckDBConnection,
    catalog: LakeCatalog,
    table: ReadTable,
    rows: {
      places: readonly HotPlace[];
      at: SnapshotId;
      columns: readonly ColumnDef[];
      signal: AbortSignal;
    },
  ): Promise<void> {
    const { places, at, columns, signal } = rows;
    if (places.length === 0) return;
    const types = [BIGINT, BIGINT, ...columns.map((column) => VECTOR_TYPES[column.type])];
    const appender = await connection.createAppender(qualifiedName(table.def), this.schema);
    try {
      for (let from = 0; from < places.length; from += PAGE_ROWS) {
        const page = places.slice(from, from + PAGE_ROWS);
        const cells = columns.length === 0 ? [] : readHotRows(catalog, page, columns);
        if (cells === null) throw unknownSnapshot(at, catalog.latest());
        const chunk = DuckDBDataChunk.create(types, page.length);
        chunk.setColumns([
          page.map((place) => BigInt(place.rowNumber)),
          page.map((place) => BigInt(place.beginSnapshot)),
          ...cells.map((values, index) =>
            values.map((cell) => toDuckDb(cell, columns[index]?.type ?? "varchar")),
          ),
        ]);
        appender.appendDataChunk(chunk);
        // A turn for other messages: a cancel, a ping.
        await setImmediate();
        if (signal.aborted) throw cancelled();
      }
    } finally {
      appender.closeSync();
    }
  }

  private async create(
    connection: DuckDBConnection,
    table: ReadTable,
    columns: readonly ColumnDef[],
  ): Promise<void> {
    const copied = columns.map((column) => `, ${sqlName(column.name)} ${DUCKDB_TYPES[column.type]}`);
    await connection.run(
      `CREATE OR REPLACE TABLE ${this.tableName(table)} (hw_row BIGINT, hw_begin BIGINT${copied.join("")})`,
    );
  }

  private tableName(table: ReadTable): string {
    return `${sqlName(this.schema)}.${sqlName(qualifiedName(table.def))}`;
  }
}

function isIn(copy: Copy | undefined, column: ColumnDef): boolean {
  return copy?.columns.some(({ id }) => id === column.id) ?? false;
}

function toDuckDb(cell: CellValue, type: ColumnType): DuckDBValue {
  if (typeof cell === "number")
    return type === "timestamptz" ? new DuckDBTimestampTZValue(BigInt(cell)) : BigInt(cell);
  if (cell instanceof Uint8Array) return new DuckDBBlobValue(cell);
  return cell;
}
