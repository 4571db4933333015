import { spawnSync } from "node:child_process";
import { globSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withPreparationLock } from "./preparation-lock.ts";
import { projectRoot } from "./project-root.ts";

/** Everything that can change what `electron-vite build` writes; tests are left out. */
const SOURCES = [
  "{storage,pipeline,main,renderer}/**/*",
  "package.json",
  "package-lock.json",
  "electron.vite.config.ts",
];
const TEST_FILE = /\.(test|test-support)\.tsx?$|\.md$/;
const OUTPUTS = ["out/main/main.js", "out/preload/preload.cjs", "out/renderer/index.html"];
/** Written last, so that an interrupted build never looks finished. */
const stampFile = join(projectRoot, "out/built");

function modifiedMs(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Whether `out/` holds a finished build that no source is newer than. */
export function isBuildFresh(): boolean {
  const builtMs = modifiedMs(stampFile);
  if (builtMs === null || OUTPUTS.some((file) => modifiedMs(join(projectRoot, file)) === null)) return false;
  return SOURCES.flatMap((pattern) => globSync(pattern, { cwd: projectRoot }))
    .filter((file) => !TEST_FILE.test(file))
    .every((file) => (modifiedMs(join(projectRoot, file)) ?? Infinity) <= builtMs);
}

/** Builds main, preload and window into `out/` unless that is fresh. Prints the build's own output when it fails, and rejects. */
export async function ensureBuilt(): Promise<void> {
  await withPreparationLock(join(projectRoot, "out/build-lock"), async () => {
    if (isBuildFresh()) return;
    const startedMs = Date.now();
    console.error("building the app …");
    const bin = join(projectRoot, "node_modules/electron-vite/bin/electron-vite.js");
    const run = spawnSync(process.execPath, [bin, "build", "--logLevel", "warn"], {
      cwd: projectRoot,
      encoding: "utf8",
      // Node 24 runs electron-vite; a NODE_OPTIONS of a test runner must not leak into it.
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    if (run.status !== 0) {
      console.error(`${run.stdout}${run.stderr}`.trim());
      throw new Error("the app does not build (output above)");
    }
    writeFileSync(stampFile, `${new Date(startedMs).toISOString()}\n`);
  });
}
