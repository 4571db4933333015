import { defineColumns, type TableDef } from "#storage/model/table.ts";

/**
 * How far behind the newest event time rows arrive: lateness = max event time before the offset − event time, at least 0.
 * Windows are over max(event time, max event time before the offset), so a late row is never late for its window and all rows count.
 */
export const latenessHistogramTable = {
  schema: "gold",
  name: "lateness_histogram",
  kind: "window",
  key: ["source", "window_start", "window_length_ms", "bucket_from_ms"],
  columns: defineColumns({
    source: "varchar",
    window_start: "timestamptz",
    window_length_ms: "int64",
    state: "varchar",
    bucket_from_ms: "int64",
    bucket_to_ms: "?int64",
    rows: "int64",
  }),
} as const satisfies TableDef;
