import { defineColumns, type TableDef } from "#storage/model/table.ts";

/**
 * One typed row per bronze row, of every type. `watermark` is the watermark at the row's own offset (null: none yet) and
 * `late` says event_time < watermark, so that gold can be recomputed from this table and `control` alone.
 * `user_kind`: named, temporary, address, hidden (no user key). `bytes_changed` = length_new − length_old (0 for a missing old).
 */
export const silverTable = {
  schema: "silver",
  name: "changes",
  kind: "append",
  key: ["source", "log_offset"],
  columns: defineColumns({
    source: "varchar",
    log_offset: "int64",
    record_kind: "varchar",
    id: "varchar",
    event_time: "timestamptz",
    received_time: "timestamptz",
    watermark: "?timestamptz",
    late: "boolean",
    lateness_ms: "int64",
    type: "varchar",
    wiki: "varchar",
    namespace: "?int64",
    title: "?varchar",
    user: "?varchar",
    user_kind: "varchar",
    bot: "boolean",
    minor: "?boolean",
    patrolled: "?boolean",
    comment: "?varchar",
    length_old: "?int64",
    length_new: "?int64",
    bytes_changed: "?int64",
    rev_old: "?int64",
    rev_new: "?int64",
    rc_id: "?int64",
    log_id: "?int64",
    log_type: "?varchar",
    log_action: "?varchar",
    log_params: "?json",
    log_action_comment: "?varchar",
    uri: "?varchar",
    domain: "?varchar",
    server_name: "?varchar",
    schema_uri: "?varchar",
    meta_dt: "?timestamptz",
  }),
} as const satisfies TableDef;
