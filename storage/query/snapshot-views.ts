import type { DuckDBConnection } from "@duckdb/node-api";
import { sqlName } from "../duckdb/open-duckdb.ts";
import type { LakeCatalog } from "../lake/read/lake-catalog.ts";
import { readParquetCall } from "../lake/read/sealed-files.ts";
import type { SnapshotId } from "../model/brand.ts";
import { HotCopies, type WantedColumns } from "./hot-copies.ts";

/**
 * What to bind views to. `columns` named: of hot rows only the columns that the text names are copied; a statement that reads
 * another fails with `NOT_COPIED` and is to be bound again with all.
 */
export type Binding = {
  readonly at: SnapshotId;
  readonly isNewest: boolean;
  readonly text: string | null;
  readonly columns: "named" | "all";
  /** Ends the copying of hot rows, which takes up to a second of a large table. */
  readonly signal: AbortSignal;
};

/**
 * False only where the statement cannot name the table: its name is nowhere in the text, not even in a literal, and the text
 * does not build statements or names (query, query_table), which could spell it in parts.
 */
function mayRead(text: string, table: string): boolean {
  const lower = text.toLowerCase();
  return lower.includes(table.toLowerCase()) || lower.includes("query");
}

/** Statements that read columns without naming them: they would only be run twice. */
const READS_ALL = /^\s*(?:from|table|summarize|pivot|unpivot)\b|\*/i;

/** Columns whose name stands in the text; all of them where the text does not say. */
function wantedBy({ text, columns }: Binding): WantedColumns {
  if (text === null || columns === "all") return () => true;
  const lower = text.toLowerCase().replaceAll(/\bcount\s*\(\s*\*\s*\)/g, "count()");
  return READS_ALL.test(lower) ? () => true : (column) => lower.includes(column.name.toLowerCase());
}

/**
 * The lake's tables as views of one snapshot: sealed files united with the hot rows of that snapshot. All views are of the same
 * snapshot between two calls of {@link bindTo}, so one statement at a time may use them.
 */
export class SnapshotViews {
  private readonly newest = new HotCopies("hw_hot");
  private readonly past = new HotCopies("hw_hot_as_of");
  private readonly bound = new Map<string, string>();

  /** Makes the schemas of the lake and of the copies. */
  async prepare(connection: DuckDBConnection): Promise<void> {
    for (const schema of ["bronze", "silver", "gold"])
      await connection.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await this.newest.prepare(connection);
    await this.past.prepare(connection);
  }

  /**
   * Binds the views that `text` may read to the snapshot; the others exist, but only to be listed and described. `text` null:
   * all of them. `isNewest` keeps the copies of the newest snapshot apart from those of a past one. Throws
   * `statement-cancelled`.
   */
  async bindTo(connection: DuckDBConnection, catalog: LakeCatalog, binding: Binding): Promise<void> {
    const { at, isNewest, text, signal } = binding;
    const isWanted = wantedBy(binding);
    const copies = isNewest ? this.newest : this.past;
    const names = new Set<string>();
    for (const table of catalog.tables(at)) {
      const name = `${sqlName(table.def.schema)}.${sqlName(table.def.name)}`;
      names.add(name);
      const isRead = text === null || mayRead(text, table.def.name);
      if (!isRead && this.bound.has(name)) continue;
      const hot = isRead
        ? await copies.bring(connection, catalog, table, { at, isWanted, signal })
        : await copies.makeEmpty(connection, table);
      const columns = table.def.columns.map((column) => sqlName(column.name)).join(", ");
      const files = isRead ? catalog.files(table, at) : [];
      const sealed =
        files.length === 0
          ? ""
          : `SELECT ${columns} FROM ${readParquetCall(files, table.def.columns)} UNION ALL `;
      await this.bind(connection, name, `${sealed}${hot}`);
    }
    for (const name of this.bound.keys()) if (!names.has(name)) await this.drop(connection, name);
  }

  private async bind(connection: DuckDBConnection, name: string, query: string): Promise<void> {
    if (this.bound.get(name) === query) return;
    this.bound.delete(name);
    await connection.run(`CREATE OR REPLACE VIEW ${name} AS ${query}`);
    this.bound.set(name, query);
  }

  private async drop(connection: DuckDBConnection, name: string): Promise<void> {
    await connection.run(`DROP VIEW IF EXISTS ${name}`);
    this.bound.delete(name);
  }
}
