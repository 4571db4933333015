import { isJsonObject, type JsonValue } from "#pipeline/protocol/change.ts";
import { eventTimeOf } from "#pipeline/validate/event-time.ts";
import { parseCheckedShape } from "#pipeline/validate/recent-change.ts";
import { RULES } from "#pipeline/validate/rules/registry.ts";
import { findShapeFault } from "#pipeline/validate/shape.ts";
import { toOffset } from "#storage/model/brand.ts";
import type { LogRecord } from "#storage/model/record.ts";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import { readCorpus } from "../corpus/corpus-file.ts";
import { answer, threadCpuMs } from "./answer.ts";

/** The best of so many passes counts: the baseline must not be slow by accident. */
const PASSES = 4;

/**
 * What any pipeline has to do at least: text from bytes, JSON.parse, shape and rules, on one core, events in memory
 * already. Nothing is kept, nothing is written.
 */
await answer("baseline", ({ corpusPath, events }) => {
  const lines: Buffer[] = [];
  for (const { data } of readCorpus(corpusPath)) {
    lines.push(Buffer.from(data));
    if (lines.length === events) break;
  }
  const { speed: validate, cpuUs: validateCpuUs } = best(lines, (line) =>
    isValid(parse(line), line) ? 1 : 0,
  );
  return { parse: best(lines, (line) => (parse(line) === null ? 0 : 1)).speed, validate, validateCpuUs };
});

function best(lines: readonly Buffer[], work: (line: Buffer) => number): { speed: number; cpuUs: number } {
  let [speed, cpuUs] = [0, Number.POSITIVE_INFINITY];
  for (let pass = 0; pass < PASSES; pass += 1) {
    const [began, cpuBegan] = [performance.now(), threadCpuMs()];
    let good = 0;
    for (const line of lines) good += work(line);
    speed = Math.max(speed, lines.length / (performance.now() - began));
    cpuUs = Math.min(cpuUs, ((threadCpuMs() - cpuBegan) * 1_000) / lines.length);
    if (good < lines.length * 0.9)
      throw new Error(`only ${good} of ${lines.length} events of the corpus are good`);
  }
  return { speed, cpuUs };
}

function parse(line: Buffer): JsonValue | null {
  try {
    return JSON.parse(line.toString("utf8")) as JsonValue;
  } catch {
    // A malformed event of the mix; it counts as read all the same.
    return null;
  }
}

function isValid(value: JsonValue | null, line: Buffer): boolean {
  if (value === null || !isJsonObject(value) || findShapeFault(value) !== null) return false;
  const event = parseCheckedShape(value);
  const time = eventTimeOf(event);
  const eventTimeUs = time.known ? time.eventTimeUs : null;
  const record: LogRecord = {
    offset: toOffset(1),
    kind: "event",
    stream: "message",
    sourceId: "",
    receivedTimeMs: (eventTimeUs ?? 0) / 1_000,
    serverOffsetMs: null,
    data: line,
    detail: null,
  };
  const input = { event, record, settings: DEFAULT_RESULT_SETTINGS, eventTimeUs };
  return RULES.every((rule) => rule.check(input) === null);
}
