import { defineColumns, type TableDef } from "#storage/model/table.ts";

/** Per user and event-time window: sum of bytes changed and the titles in offset order (JSON array). Hidden users form no group. */
export const userBytesTable = {
  schema: "gold",
  name: "user_bytes_5s",
  kind: "window",
  key: ["source", "window_start", "window_length_ms", "user"],
  columns: defineColumns({
    source: "varchar",
    window_start: "timestamptz",
    window_length_ms: "int64",
    state: "varchar",
    user: "varchar",
    edits: "int64",
    bytes_changed: "int64",
    titles: "json",
  }),
} as const satisfies TableDef;
