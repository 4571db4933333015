import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import type { FailpointName, FailpointReport } from "#storage/model/failpoints.ts";
import { until } from "./poll.ts";

const schema = z.object({
  name: z.string(),
  pid: z.int(),
  hit: z.int(),
  fromOffset: z.int().nullable(),
  toOffset: z.int().nullable(),
});

/** What a stopped worker says, once it says it whole. */
function readReport(path: string, name: FailpointName): FailpointReport | null {
  if (!existsSync(path)) return null;
  try {
    const report = schema.parse(JSON.parse(readFileSync(path, "utf8")));
    if (report.name !== name) throw new RangeError(`a report of ${report.name} instead of ${name}`);
    return { ...report, name };
  } catch (error) {
    if (error instanceof SyntaxError) return null; // half written; the next look sees it whole
    throw error;
  }
}

/** Waits for a failpoint's report; the process behind it then stands still for good. Not reached in time = an error. */
export async function reported(
  path: string,
  name: FailpointName,
  explain: () => string,
  limitMs = 30_000,
): Promise<FailpointReport> {
  return until(`failpoint ${name} reached`, () => readReport(path, name), { limitMs, explain, everyMs: 5 });
}
