import { defineColumns, type TableDef } from "#storage/model/table.ts";

/** The 50 most edited pages of a window (types edit and new), ties by wiki, then title, in code-point order. */
export const topPagesTable = {
  schema: "gold",
  name: "top_pages_5min",
  kind: "window",
  key: ["source", "window_start", "window_length_ms", "rank"],
  columns: defineColumns({
    source: "varchar",
    window_start: "timestamptz",
    window_length_ms: "int64",
    state: "varchar",
    rank: "int64",
    wiki: "varchar",
    title: "varchar",
    edits: "int64",
  }),
} as const satisfies TableDef;
