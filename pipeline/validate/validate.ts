import type { LogRecord } from "#storage/model/record.ts";
import type { ResultSettings } from "#storage/model/settings.ts";
import type { Decoded, Verdict } from "../protocol/change.ts";
import { eventTimeOf } from "./event-time.ts";
import { readChange } from "./read-change.ts";
import { parseCheckedShape } from "./recent-change.ts";
import type { Objection } from "./rule.ts";
import { RULES } from "./rules/registry.ts";
import { findShapeFault } from "./shape.ts";

/** Characters of a value that a trace keeps; the record's bytes are kept whole beside it. */
const TRACE_CHARACTERS = 200;

/**
 * The one verdict over a record, a function of its bytes, its times and the settings in force at its offset. Order:
 * oversized, error frame, JSON, shape, then the rules of the registry; the first objection decides.
 */
export function validate(record: LogRecord, decoded: Decoded, settings: ResultSettings): Verdict {
  if (record.kind === "oversized") {
    return reject("oversized", { reasonCode: "frame-above-cap", looked: { detail: record.detail } });
  }
  // The stream service reports its own trouble as an SSE event of type error, with a JSON problem as data.
  if (record.stream === "error") {
    return reject("stream-error", { reasonCode: "error-frame", looked: { sourceId: record.sourceId } });
  }
  if (!decoded.readable) {
    return reject("json", { reasonCode: decoded.failure, looked: { message: decoded.message } });
  }
  const fault = findShapeFault(decoded.value);
  if (fault !== null) {
    const { reasonCode, path, expected, found } = fault;
    return reject("shape", { reasonCode, looked: { path, expected, found } });
  }
  const event = parseCheckedShape(decoded.value);
  const time = eventTimeOf(event);
  const eventTimeUs = time.known ? time.eventTimeUs : null;
  const input = { event, record, settings, eventTimeUs };
  for (const rule of RULES) {
    if (rule.canBeDisabled && settings.disabledRules.includes(rule.id)) continue;
    const objection = rule.check(input);
    if (objection !== null) return reject(rule.id, objection, event.meta.id ?? null, eventTimeUs);
  }
  // The rule event-time-present, which nobody can switch off, let nothing without a time pass.
  return eventTimeUs === null
    ? reject("event-time-present", { reasonCode: "event-time-missing", looked: {} })
    : { valid: true, change: readChange(event, eventTimeUs) };
}

function reject(
  ruleId: string,
  objection: Objection,
  id: string | null = null,
  eventTimeUs: number | null = null,
): Verdict {
  const { reasonCode } = objection;
  return { valid: false, ruleId, reasonCode, trace: traceOf(objection), id, eventTimeUs };
}

function traceOf(objection: Objection): string {
  return JSON.stringify(objection.looked, (_key, value: unknown) =>
    // A cut may split a pair, and DuckDB refuses JSON with half of one.
    typeof value === "string" ? value.slice(0, TRACE_CHARACTERS).toWellFormed() : value,
  );
}
