import { expect, test } from "vitest";
import {
  countChecks,
  countPlaywright,
  countReport,
  countStages,
  countVitest,
  sumCounts,
} from "./ci-counts.ts";

function vitestReport(statuses: readonly string[], fileStatus = "passed"): unknown {
  const assertionResults = statuses.map((status, at) => ({ fullName: `promise ${at}`, status }));
  return {
    testResults: [{ name: "a.test.ts", status: fileStatus, message: "did not load", assertionResults }],
  };
}

test("counts passed and failed vitest tests by name", () => {
  const count = countVitest(vitestReport(["passed", "failed", "passed"], "failed"));
  expect(count).toEqual({ passed: 2, failures: ["a.test.ts › promise 1"], excused: [] });
});

test.each(["skipped", "pending", "todo", "disabled"])(
  "counts a %s test without an excuse as failed",
  (status) => {
    expect(countVitest(vitestReport([status])).failures).toHaveLength(1);
  },
);

test("excuses a skipped test whose title names another platform", () => {
  const report = {
    testResults: [
      {
        name: "a.test.ts",
        status: "passed",
        assertionResults: [{ fullName: "uses fullfsync (only on macOS)", status: "skipped" }],
      },
    ],
  };
  expect(countVitest(report)).toMatchObject({
    failures: [],
    excused: ["a.test.ts › uses fullfsync (only on macOS)"],
  });
});

test("counts a file that did not load as one failure", () => {
  expect(countVitest(vitestReport([], "failed")).failures).toEqual(["a.test.ts: did not load"]);
});

test("counts nested Playwright suites, flaky tests as failed, and errors outside of tests", () => {
  const spec = (title: string, status: string): unknown => ({ title, tests: [{ status }] });
  const report = {
    suites: [
      {
        title: "a.spec.ts",
        specs: [spec("shows rows", "expected")],
        suites: [{ title: "pause", specs: [spec("resumes", "flaky"), spec("waits", "skipped")] }],
      },
    ],
    errors: [{ message: "config broken" }],
  };
  const count = countPlaywright(report);
  expect(count.passed).toBe(1);
  expect(count.failures).toEqual([
    "e2e › a.spec.ts › pause › resumes",
    "e2e › a.spec.ts › pause › waits [skipped without an excuse]",
    "e2e: config broken",
  ]);
});

test("counts packaging checks", () => {
  const report = [
    { name: "starts", error: null },
    { name: "fuses", error: "wrong" },
  ];
  expect(countChecks(report)).toEqual({ passed: 1, failures: ["fuses"], excused: [] });
});

test("counts a report that is missing or empty as a failure", () => {
  expect(countReport("ui", null, countVitest).failures).toEqual(["ui: no report was written"]);
  expect(countReport("ui", { testResults: [] }, countVitest).failures).toEqual(["ui: no test was run"]);
});

test("counts a failed stage once: by its tests, or by itself when no test says why", () => {
  const failed = { passed: 3, failures: ["x"], excused: [] };
  const green = { passed: 3, failures: [], excused: [] };
  const stages = [
    { name: "lint", exitCode: 0, seconds: 1 },
    { name: "types", exitCode: 2, seconds: 1 },
    { name: "npm test", exitCode: 1, seconds: 1 },
    { name: "package", exitCode: null, seconds: 1 },
  ];
  const explained = new Map([
    ["npm test", [green, failed]],
    ["package", [green]],
  ]);
  const count = countStages(stages, explained);
  expect(count).toEqual({
    passed: 1,
    failures: ["types ended with 2", "package ended with a signal"],
    excused: [],
  });
  expect(sumCounts([count, failed])).toMatchObject({ passed: 4, failures: [...count.failures, "x"] });
});
