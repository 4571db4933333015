import { defineColumns, type TableDef } from "#storage/model/table.ts";

/** Every accepted record as received: the truth from which silver and gold can be rebuilt. */
export const bronzeTable = {
  schema: "bronze",
  name: "recentchange",
  kind: "append",
  key: ["source", "log_offset"],
  columns: defineColumns({
    source: "varchar",
    log_offset: "int64",
    record_kind: "varchar",
    stream: "varchar",
    source_id: "varchar",
    topic: "?varchar",
    topic_partition: "?int64",
    source_offset: "?int64",
    id: "varchar",
    event_time: "timestamptz",
    received_time: "timestamptz",
    server_offset_ms: "?int64",
    raw: "json",
    raw_bytes: "?blob",
  }),
} as const satisfies TableDef;
