/**
 * The end of `.ci/run`: prints what failed, the time of each stage, and as the very last line `N passed, N failed`.
 * Exit code 1 when anything failed, was skipped without an excuse, or left no report.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  countChecks,
  countPlaywright,
  countReport,
  countStages,
  countVitest,
  stageSchema,
  sumCounts,
  type Count,
  type Stage,
} from "./ci-counts.ts";
import { projectRoot } from "./project-root.ts";

const reportsFolder = join(projectRoot, "test-results");
const TEST_STAGE = "npm test";
const PACKAGE_STAGE = "package";
/** This stage runs the gates, each of which is a stage of its own. */
const GATES_STAGE = "gates";
const GATES = ["format", "lint", "layers", "types", "unused"];

function readReport(file: string): unknown {
  const path = join(reportsFolder, file);
  if (!existsSync(path)) return null;
  return JSON.parse(readFileSync(path, "utf8"));
}

function readStages(): Stage[] {
  const lines = readFileSync(join(reportsFolder, "stages.ndjson"), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => stageSchema.parse(JSON.parse(line)));
}

function countFile(name: string, countOf: (report: unknown) => Count): Count {
  try {
    return countReport(name, readReport(`${name}.json`), countOf);
  } catch (error) {
    // A report cut short by a killed runner; the closing line must be printed all the same.
    return {
      passed: 0,
      failures: [`${name}: unreadable report (${String(error).split("\n")[0]})`],
      excused: [],
    };
  }
}

const stages = readStages();
const tests = [
  ...["unit", "ui", "crash"].map((name) => countFile(name, countVitest)),
  countFile("e2e", countPlaywright),
];
const packaging = countFile("package", countChecks);
const gates = countStages(
  stages.filter(({ name }) => GATES.includes(name)),
  new Map(),
);
const explainedBy = new Map([
  [GATES_STAGE, [gates]],
  [TEST_STAGE, tests],
  [PACKAGE_STAGE, [packaging]],
]);
const total = sumCounts([...tests, packaging, countStages(stages, explainedBy)]);

console.log("");
for (const { name, exitCode, seconds } of stages) {
  console.log(`${name.padEnd(14)} ${seconds.toFixed(0).padStart(5)} s  ${exitCode === 0 ? "ok" : "failed"}`);
}
for (const title of total.excused) console.log(`cannot run here: ${title}`);
for (const title of total.failures) console.log(`FAILED ${title}`);
process.exitCode = total.failures.length === 0 ? 0 : 1;
console.log(`${total.passed} passed, ${total.failures.length} failed`);
