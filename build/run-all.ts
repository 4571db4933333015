/**
 * Runs npm scripts one after the other and prints a table with times.
 *
 *     node build/run-all.ts [--keep-going] [--stages FILE] NAME…
 *
 * Stops at the first failure, or, with `--keep-going`, runs the rest as well; the exit code is 1 if any failed.
 * A suite may be named without its prefix: `unit` is `test:unit`. `--stages` appends one JSON line per script,
 * which is what `ci-report.ts` counts.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { z } from "zod";
import { projectRoot } from "./project-root.ts";

type Outcome = { name: string; exitCode: number | null; seconds: number };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "keep-going": { type: "boolean", default: false }, stages: { type: "string" } },
});

const manifest = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")));

function scriptFor(name: string): string {
  const script = [name, `test:${name}`].find((candidate) => candidate in manifest.scripts);
  if (script === undefined) throw new Error(`package.json has no script "${name}" or "test:${name}"`);
  return script;
}

function runScript(script: string): Outcome {
  console.log(`\n▶ ${script}`);
  const startedMs = performance.now();
  const run = spawnSync("npm", ["run", "--silent", script], {
    cwd: projectRoot,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (run.error) console.error(`${script}: ${run.error.message}`);
  return { name: script, exitCode: run.status, seconds: (performance.now() - startedMs) / 1000 };
}

function recordStage(file: string, outcome: Outcome): void {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(outcome)}\n`);
}

const scripts = positionals.map(scriptFor);
if (scripts.length === 0) throw new Error("name at least one npm script");

const outcomes: Outcome[] = [];
for (const script of scripts) {
  const outcome = runScript(script);
  outcomes.push(outcome);
  if (values.stages !== undefined) recordStage(values.stages, outcome);
  if (outcome.exitCode !== 0 && !values["keep-going"]) break;
}

console.log("");
for (const { name, exitCode, seconds } of outcomes) {
  const verdict = exitCode === 0 ? "ok" : `failed (${exitCode ?? "killed"})`;
  console.log(`${name.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s  ${verdict}`);
}
for (const script of scripts.slice(outcomes.length)) console.log(`${script.padEnd(12)}           not run`);
process.exitCode = outcomes.every((outcome) => outcome.exitCode === 0) ? 0 : 1;
