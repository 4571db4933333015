import type { RecordView, WireCell } from "#pipeline/protocol/query-messages.ts";
import { formatCount, formatDuration, formatUtc } from "#renderer/components/format.ts";
import { parseJsonText, type JsonNode } from "#renderer/components/json-tree/parse-json-text.ts";

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

function isLate(record: RecordView): boolean | null {
  const late = cell(record, "late");
  return late === null ? null : late === true || late === "true";
}

function numberCell(record: RecordView, name: string): number | null {
  const value = cell(record, name);
  return value === null || value === "" || !Number.isFinite(Number(value)) ? null : Number(value);
}

/** Why a record is late, in one sentence. */
function whyLate(record: RecordView): Fact | null {
  const lateByMs = numberCell(record, "late_by_ms");
  if (isLate(record) !== true || lateByMs === null) return null;
  const by = formatDuration(lateByMs);
  return { name: "why late", value: `its event time is ${by} below the watermark that held at its offset` };
}

function batchFacts({ commit }: RecordView): readonly Fact[] {
  if (commit === null) return [{ name: "batch", value: "its snapshot is no longer kept" }];
  const { fromOffset, toOffset, snapshotId, commitTimeMs } = commit;
  const size = toOffset - fromOffset + 1;
  return [
    {
      name: "batch",
      value: `offsets ${formatCount(fromOffset)} to ${formatCount(toOffset)} (${formatCount(size)} records)`,
    },
    { name: "snapshot", value: `#${formatCount(snapshotId)}` },
    { name: "commit time", value: formatUtc(commitTimeMs) },
  ];
}

/** The journey of a record: where it stands in log and lake, and what decided whether it was late. */
export function journeyFacts(record: RecordView, snapshotId: number | null): readonly Fact[] {
  const lateness = cell(record, "lateness_ms");
  const late = isLate(record);
  const facts: (Fact | null)[] = [
    { name: "log offset", value: String(record.logOffset) },
    ...batchFacts(record),
    { name: "table", value: record.table },
    factOf(record, "event time", "event_time"),
    factOf(record, "received time", "received_time"),
    factOf(record, "watermark at it", "watermark", "none yet"),
    lateness === null ? null : { name: "lateness", value: `${showCell(lateness)} ms` },
    late === null ? null : { name: "late", value: late ? "yes" : "no" },
    whyLate(record),
    factOf(record, "reason", "reason"),
    snapshotId === null ? null : { name: "read at snapshot", value: `#${formatCount(snapshotId)}` },
  ];
  return facts.filter((fact) => fact !== null);
}

function factOf(record: RecordView, name: string, column: string, absent?: string): Fact | null {
  if (!record.columns.some((candidate) => candidate.name === column)) return null;
  const value = cell(record, column);
  return { name, value: value === null && absent !== undefined ? absent : showCell(value) };
}

/** What the rule that refused the record looked at; empty for a record that none refused. */
export function traceFacts(record: RecordView): readonly Fact[] {
  const trace = cell(record, "trace");
  if (trace === null) return [];
  const told = [factOf(record, "rule", "rule_id"), factOf(record, "reason", "reason_code")];
  const json = parseJsonText(String(trace));
  const looked =
    json?.kind === "object"
      ? json.entries.map(({ key, value }) => ({ name: key, value: jsonText(value) }))
      : [{ name: "trace", value: String(trace) }];
  return [...told.filter((fact) => fact !== null), ...looked];
}

function jsonText(node: JsonNode): string {
  if (node.kind === "string") return node.value;
  if (node.kind === "literal") return node.text;
  if (node.kind === "array") return `[${node.items.map(jsonText).join(", ")}]`;
  return `{${node.entries.map(({ key, value }) => `${key}: ${jsonText(value)}`).join(", ")}}`;
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
  "late_by_ms",
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
