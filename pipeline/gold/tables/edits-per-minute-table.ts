import { defineColumns, type TableDef } from "#storage/model/table.ts";

/** Changes per minute and wiki. `distinct_users` is exact; hidden users count as edits but not as users. */
export const editsPerMinuteTable = {
  schema: "gold",
  name: "edits_per_minute",
  kind: "window",
  key: ["source", "window_start", "window_length_ms", "wiki"],
  columns: defineColumns({
    source: "varchar",
    window_start: "timestamptz",
    window_length_ms: "int64",
    state: "varchar",
    wiki: "varchar",
    changes: "int64",
    edits: "int64",
    bots: "int64",
    new_pages: "int64",
    logs: "int64",
    categorizations: "int64",
    distinct_users: "int64",
    bytes_added: "int64",
    bytes_removed: "int64",
  }),
} as const satisfies TableDef;
