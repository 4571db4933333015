import { defineColumns, type TableDef } from "#storage/model/table.ts";

/**
 * Records set aside by validation. `raw` is the text as well-formed Unicode; `raw_bytes` the original bytes wherever
 * that differs; `trace` is JSON: what the rule looked at.
 */
export const deadLettersTable = {
  schema: "main",
  name: "dead_letters",
  kind: "append",
  key: ["source", "log_offset"],
  columns: defineColumns({
    source: "varchar",
    log_offset: "int64",
    record_kind: "varchar",
    stream: "varchar",
    source_id: "varchar",
    rule_id: "varchar",
    reason_code: "varchar",
    trace: "json",
    id: "?varchar",
    event_time: "?timestamptz",
    received_time: "timestamptz",
    size_bytes: "int64",
    sha256: "varchar",
    raw: "varchar",
    raw_bytes: "?blob",
  }),
} as const satisfies TableDef;

/** Why a record is in `discards`. */
export const DISCARD_REASONS = ["filtered", "duplicate", "repeat", "unreadable"] as const;

/** One of {@link DISCARD_REASONS}. */
export type DiscardReason = (typeof DISCARD_REASONS)[number];

/** Records that end in no other table, each with its reason. `sha256` is null only for unreadable offsets. */
export const discardsTable = {
  schema: "main",
  name: "discards",
  kind: "append",
  key: ["source", "log_offset"],
  columns: defineColumns({
    source: "varchar",
    log_offset: "int64",
    record_kind: "varchar",
    stream: "varchar",
    reason: "varchar",
    detail: "varchar",
    id: "?varchar",
    received_time: "?timestamptz",
    sha256: "?varchar",
  }),
} as const satisfies TableDef;

/** Settings and note records of the log. */
export const controlTable = {
  schema: "main",
  name: "control",
  kind: "append",
  key: ["source", "log_offset"],
  columns: defineColumns({
    source: "varchar",
    log_offset: "int64",
    record_kind: "varchar",
    received_time: "timestamptz",
    body: "json",
    sha256: "varchar",
  }),
} as const satisfies TableDef;

/** Bronze rows whose event time was below the watermark at their own offset, with their payload. */
export const lateArrivalsTable = {
  schema: "main",
  name: "late_arrivals",
  kind: "append",
  key: ["source", "log_offset"],
  columns: defineColumns({
    source: "varchar",
    log_offset: "int64",
    id: "varchar",
    event_time: "timestamptz",
    received_time: "timestamptz",
    watermark: "timestamptz",
    late_by_ms: "int64",
    wiki: "varchar",
    type: "varchar",
    title: "?varchar",
    user: "?varchar",
    raw: "json",
    raw_bytes: "?blob",
  }),
} as const satisfies TableDef;
