import type { RecordView, WireCell } from "#pipeline/protocol/query-messages.ts";
import { literalAt, stringAt, type JsonNode } from "#renderer/components/json-tree/parse-json-text.ts";

/** A named fact about a record, as the inspector lists it. */
export type Fact = { readonly name: string; readonly value: string };

function cell(record: RecordView, name: string): WireCell {
  return record.columns.find((column) => column.name === name)?.value ?? null;
}

/** Times come in ISO form with microseconds; shown in UTC with milliseconds, so that they fit one line. */
const ISO_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{3})\d*)?(?:Z|\+00(?::?00)?)$/u;

function showCell(value: WireCell): string {
  if (value === null) return "—";
  const text = String(value);
  const [, day, time, ms] = ISO_TIME.exec(text) ?? [];
  return day === undefined || time === undefined ? text : `${day} ${time}.${ms ?? "000"}Z`;
}

/** The journey of a record: where it stands in log and lake, and what decided whether it was late. */
export function journeyFacts(record: RecordView, snapshotId: number | null): readonly Fact[] {
  const lateness = cell(record, "lateness_ms");
  const late = cell(record, "late");
  const facts: (Fact | null)[] = [
    { name: "log offset", value: String(record.logOffset) },
    { name: "table", value: record.table },
    factOf(record, "event time", "event_time"),
    factOf(record, "received time", "received_time"),
    factOf(record, "watermark at it", "watermark", "none yet"),
    lateness === null ? null : { name: "lateness", value: `${showCell(lateness)} ms` },
    late === null ? null : { name: "late", value: late === true || late === "true" ? "yes" : "no" },
    factOf(record, "rule", "rule_id"),
    factOf(record, "reason", "reason_code") ?? factOf(record, "reason", "reason"),
    factOf(record, "where it broke", "trace"),
    snapshotId === null ? null : { name: "read at snapshot", value: String(snapshotId) },
  ];
  return facts.filter((fact) => fact !== null);
}

function factOf(record: RecordView, name: string, column: string, absent?: string): Fact | null {
  if (!record.columns.some((candidate) => candidate.name === column)) return null;
  const value = cell(record, column);
  return { name, value: value === null && absent !== undefined ? absent : showCell(value) };
}

/** Columns that the journey or the raw text shows already. */
const TOLD_ELSEWHERE = new Set([
  "raw",
  "raw_json",
  "source",
  "log_offset",
  "event_time",
  "received_time",
  "watermark",
  "lateness_ms",
  "late",
  "rule_id",
  "reason_code",
  "reason",
  "trace",
]);

/** Every stored column but those that the journey already tells. */
export function columnFacts(record: RecordView): readonly Fact[] {
  return record.columns
    .filter(({ name, value }) => !TOLD_ELSEWHERE.has(name) && value !== null && value !== "")
    .map(({ name, value }) => ({ name, value: showCell(value) }));
}

/** Addresses that a record gives: the page as delivered, and the difference where it is an edit. */
export type RecordLinks = { readonly page: string | null; readonly diff: string | null };

/** Reads the links of a record from its raw JSON. Main judges them again before one is opened. */
export function recordLinks(json: JsonNode | null): RecordLinks {
  const page = stringAt(json, "meta", "uri");
  const revision = literalAt(json, "revision", "new");
  const server = stringAt(json, "server_url");
  const path = stringAt(json, "server_script_path") ?? "/w";
  const given = stringAt(json, "notify_url");
  if (given !== null) return { page, diff: given };
  if (revision === null || server === null || !/^\d+$/u.test(revision)) return { page, diff: null };
  return { page, diff: `${server}${path}/index.php?diff=${revision}` };
}
