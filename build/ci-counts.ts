/** Turns the reports of vitest, Playwright, the packaging checks and the stages of `.ci/run` into one count. */
import { z } from "zod";

/** What a report adds: how many passed, and by name what failed. A test skipped without excuse has failed. */
export type Count = { passed: number; failures: string[]; excused: string[] };

/** A skipped test is excused only when its title says that this machine cannot run it. */
const EXCUSE = /\(only on (macOS|Windows)\)/;

const vitestSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

const specSchema = z.object({ title: z.string(), tests: z.array(z.object({ status: z.string() })) });
type PlaywrightSuite = {
  title: string;
  specs: z.infer<typeof specSchema>[];
  suites?: PlaywrightSuite[] | undefined;
};
const suiteSchema: z.ZodType<PlaywrightSuite> = z.lazy(() =>
  z.object({ title: z.string(), specs: z.array(specSchema), suites: z.array(suiteSchema).optional() }),
);
const playwrightSchema = z.object({
  suites: z.array(suiteSchema),
  errors: z.array(z.object({ message: z.string().optional() })),
});

const checksSchema = z.array(z.object({ name: z.string(), error: z.string().nullable() }));

/** One line of the stages file: how a step of `.ci/run` ended. */
export const stageSchema = z.object({
  name: z.string(),
  exitCode: z.number().nullable(),
  seconds: z.number(),
});
export type Stage = z.infer<typeof stageSchema>;

function emptyCount(): Count {
  return { passed: 0, failures: [], excused: [] };
}

function addTest(count: Count, title: string, status: "passed" | "failed" | "skipped"): void {
  if (status === "passed") count.passed += 1;
  else if (status === "skipped" && EXCUSE.test(title)) count.excused.push(title);
  else count.failures.push(status === "skipped" ? `${title} [skipped without an excuse]` : title);
}

/** Counts vitest's JSON report. A file that failed without a failed test (it did not load) counts as one failure. */
export function countVitest(report: unknown): Count {
  const count = emptyCount();
  for (const file of vitestSchema.parse(report).testResults) {
    for (const { fullName, status } of file.assertionResults) {
      const verdict = status === "passed" || status === "failed" ? status : "skipped";
      addTest(count, `${file.name} › ${fullName}`, verdict);
    }
    const hasFailedTest = file.assertionResults.some(({ status }) => status === "failed");
    if (file.status === "failed" && !hasFailedTest)
      count.failures.push(`${file.name}: ${file.message ?? "failed"}`);
  }
  return count;
}

/** Counts Playwright's JSON report. A flaky test has failed; errors outside of tests count one each. */
export function countPlaywright(report: unknown): Count {
  const count = emptyCount();
  const { suites, errors } = playwrightSchema.parse(report);
  const addSuite = (suite: PlaywrightSuite, path: readonly string[]): void => {
    const here = [...path, suite.title];
    for (const spec of suite.specs) {
      for (const { status } of spec.tests) {
        const verdict = status === "expected" ? "passed" : status === "skipped" ? "skipped" : "failed";
        addTest(count, [...here, spec.title].join(" › "), verdict);
      }
    }
    for (const inner of suite.suites ?? []) addSuite(inner, here);
  };
  for (const suite of suites) addSuite(suite, ["e2e"]);
  for (const error of errors) count.failures.push(`e2e: ${error.message ?? "error outside of a test"}`);
  return count;
}

/** Counts the packaging checks. */
export function countChecks(report: unknown): Count {
  const count = emptyCount();
  for (const { name, error } of checksSchema.parse(report))
    addTest(count, name, error === null ? "passed" : "failed");
  return count;
}

/** A report that was to be there and is not, or that holds no test at all, is a failure: nothing passes unseen. */
export function countReport(name: string, report: unknown, countOf: (report: unknown) => Count): Count {
  if (report === null) return { ...emptyCount(), failures: [`${name}: no report was written`] };
  const count = countOf(report);
  const seen = count.passed + count.failures.length + count.excused.length;
  return seen === 0 ? { ...count, failures: [`${name}: no test was run`] } : count;
}

/**
 * Counts the stages themselves. A stage in `explainedBy` is not counted when it passes (its tests are) and only counts
 * as a failure when none of its reports already says why.
 */
export function countStages(
  stages: readonly Stage[],
  explainedBy: ReadonlyMap<string, readonly Count[]>,
): Count {
  const count = emptyCount();
  for (const { name, exitCode } of stages) {
    const reports = explainedBy.get(name);
    if (exitCode === 0 && reports === undefined) count.passed += 1;
    if (exitCode === 0) continue;
    const isExplained = reports?.some((report) => report.failures.length > 0) ?? false;
    if (!isExplained) count.failures.push(`${name} ended with ${exitCode ?? "a signal"}`);
  }
  return count;
}

/** Adds counts up. */
export function sumCounts(counts: readonly Count[]): Count {
  return {
    passed: counts.reduce((sum, count) => sum + count.passed, 0),
    failures: counts.flatMap((count) => count.failures),
    excused: counts.flatMap((count) => count.excused),
  };
}
