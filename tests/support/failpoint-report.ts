import { readFailpointReport } from "#main/chaos/failpoint-report.ts";
import type { FailpointName, FailpointReport } from "#storage/model/failpoints.ts";
import { until } from "./poll.ts";

function readReport(path: string, name: FailpointName): FailpointReport | null {
  const report = readFailpointReport(path);
  if (report === null) return null;
  if (report.name !== name) throw new RangeError(`a report of ${report.name} instead of ${name}`);
  return { ...report, name };
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
