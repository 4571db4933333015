/**
 * `npm run soak`: the crash suite with its full counts (100 random kills, 200 cut connections, 50 fast kills), one file
 * after the other, and a table of what ran. HIGHWATER_SEED repeats the random moments of a run; the seed is in the titles.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { projectRoot } from "./project-root.ts";
import { runChild } from "./run-child.ts";

const REPORT = join(projectRoot, "test-results/soak.json");

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), duration: z.number().nullish() }),
      ),
    }),
  ),
});

const startedMs = performance.now();
const exitCode = await runChild(
  process.execPath,
  [
    join(projectRoot, "node_modules/vitest/vitest.mjs"),
    "run",
    "--project=crash",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${REPORT}`,
    ...process.argv.slice(2),
  ],
  { cwd: projectRoot, env: { ...process.env, HIGHWATER_FULL: "1" } },
);

const { testResults } = reportSchema.parse(JSON.parse(readFileSync(REPORT, "utf8")));
let [passed, failed] = [0, 0];
for (const { name, assertionResults } of testResults) {
  console.log(`\n${name.slice(projectRoot.length + 1)}`);
  for (const { fullName, status, duration } of assertionResults) {
    if (status === "passed") passed += 1;
    else failed += 1;
    console.log(`  ${((duration ?? 0) / 1_000).toFixed(1).padStart(7)} s  ${status.padEnd(7)} ${fullName}`);
  }
}
const minutes = (performance.now() - startedMs) / 60_000;
console.log(`\nsoak: ${passed} passed, ${failed} failed in ${minutes.toFixed(1)} min`);
process.exitCode = exitCode;
