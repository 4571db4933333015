import type { ColumnType } from "../../model/table.ts";
import { formatTimestamp } from "../catalog/timestamps.ts";
import type { EncodedTable } from "./encoded-table.ts";

/**
 * Statistics of one column of one file, in DuckLake's text form (numbers in decimal, booleans 0/1, timestamptz with +00).
 * `valueCount` counts nulls too, as Parquet's num_values does. `min`/`max` are null for text, JSON and blobs, and where all is null.
 */
export type ColumnStats = {
  readonly columnId: number;
  readonly valueCount: number;
  readonly nullCount: number;
  readonly min: string | null;
  readonly max: string | null;
};

/** Statistics of a whole file, one per column of the table. */
export function columnStats(encoded: EncodedTable): readonly ColumnStats[] {
  return encoded.table.columns.map((column, index): ColumnStats => {
    const chunks = encoded.rowGroups.flatMap((group) => group.chunks[index] ?? []);
    const mins = chunks.flatMap((chunk) => chunk.min ?? []);
    const maxs = chunks.flatMap((chunk) => chunk.max ?? []);
    return {
      columnId: column.id,
      valueCount: encoded.rowCount,
      nullCount: chunks.reduce((sum, chunk) => sum + chunk.nullCount, 0),
      min: mins.length > 0 ? statText(column.type, Math.min(...mins)) : null,
      max: maxs.length > 0 ? statText(column.type, Math.max(...maxs)) : null,
    };
  });
}

function statText(type: ColumnType, value: number): string {
  return type === "timestamptz" ? formatTimestamp(value) : String(value);
}
