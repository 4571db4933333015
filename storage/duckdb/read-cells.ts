import type * as DuckDbApi from "@duckdb/node-api";
import type { CellValue, ColumnDef } from "../model/table.ts";
import { streamChunks } from "./stream-chunks.ts";

/** A part of a result: at most 2,048 rows (DuckDB's vector size), column by column. */
export type CellChunk = { readonly rowCount: number; readonly columns: readonly (readonly CellValue[])[] };

/** The bindings, loaded where there is a connection (see `openDuckDb`) and not before. */
type Bindings = typeof DuckDbApi;

/**
 * Streams a statement whose result columns have the types of `columns`, in that order. Memory stays bounded by one chunk as
 * long as the statement itself streams. Throws what DuckDB throws,
 * `StreamCutError` for a failure behind the first rows, and a RangeError for an integer beyond 2^53.
 */
export async function* streamCells(
  connection: DuckDbApi.DuckDBConnection,
  sql: string,
  columns: readonly ColumnDef[],
): AsyncIterable<CellChunk> {
  const bindings = await import("@duckdb/node-api");
  for await (const { chunk } of streamChunks(connection, () => connection.stream(sql))) {
    yield {
      rowCount: chunk.rowCount,
      columns: columns.map((column, index) => readColumn(bindings, chunk, index, column)),
    };
  }
}

function readColumn(
  bindings: Bindings,
  chunk: DuckDbApi.DuckDBDataChunk,
  index: number,
  column: ColumnDef,
): readonly CellValue[] {
  const vector = chunk.getColumnVector(index);
  const cells: CellValue[] = [];
  for (let row = 0; row < chunk.rowCount; row += 1) cells.push(toCell(bindings, vector.getItem(row), column));
  return cells;
}

function toCell(bindings: Bindings, value: DuckDbApi.DuckDBValue, column: ColumnDef): CellValue {
  if (value === null) return null;
  switch (column.type) {
    case "int64":
      return safeNumber(value, column);
    case "timestamptz":
      return value instanceof bindings.DuckDBTimestampTZValue
        ? safeNumber(value.micros, column)
        : refuse(value, column);
    case "boolean":
      return typeof value === "boolean" ? value : refuse(value, column);
    case "varchar":
    case "json":
      return typeof value === "string" ? value : refuse(value, column);
    case "blob":
      // The bytes are a view into the chunk for short values; the cell must outlive it.
      return value instanceof bindings.DuckDBBlobValue ? Uint8Array.from(value.bytes) : refuse(value, column);
  }
}

function safeNumber(value: DuckDbApi.DuckDBValue, column: ColumnDef): number {
  const number = typeof value === "bigint" ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number)) return number;
  throw new RangeError(`column ${column.name}: ${String(value)} is not an exact integer`);
}

function refuse(value: DuckDbApi.DuckDBValue, column: ColumnDef): never {
  throw new TypeError(`column ${column.name} (${column.type}) came back as ${String(value).slice(0, 80)}`);
}
