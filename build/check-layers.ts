/**
 * `npm run layers`: runs dependency-cruiser over every folder that has code and refuses a run that saw too little,
 * since the tool passes with "0 modules" when its parser is missing.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { projectRoot } from "./project-root.ts";

const FOLDERS = ["storage", "pipeline", "main", "renderer", "build", "bench", "e2e", "tests"];

const reportSchema = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
    totalCruised: z.number(),
    totalDependenciesCruised: z.number().optional(),
  }),
  modules: z.array(z.object({ source: z.string() })),
});

const folders = FOLDERS.filter(
  (folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: projectRoot }).length > 0,
);
const run = spawnSync(
  process.execPath,
  [
    "--import",
    pathToFileURL(join(projectRoot, "build/layers-visitor.mjs")).href,
    join(projectRoot, "node_modules/.bin/depcruise"),
    "--config=build/layers.config.mjs",
    "--output-type=json",
    ...folders,
  ],
  { cwd: projectRoot, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
);
if (run.stdout.trim() === "") throw new Error(`dependency-cruiser printed nothing: ${run.stderr}`);

const { summary, modules } = reportSchema.parse(JSON.parse(run.stdout));
for (const { from, to, rule } of summary.violations) console.error(`${rule.name}: ${from} → ${to}`);

const unseen = folders.filter((folder) => !modules.some((module) => module.source.startsWith(`${folder}/`)));
if (modules.length === 0 || summary.totalCruised === 0)
  console.error("no module was seen: is @swc/core installed?");
if (unseen.length > 0) console.error(`no module was seen in: ${unseen.join(", ")}`);

const failed = summary.violations.length > 0 || unseen.length > 0 || summary.totalCruised === 0;
console.log(`layers: ${summary.totalCruised} modules, ${summary.violations.length} violations`);
process.exitCode = failed ? 1 : 0;
