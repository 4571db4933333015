/**
 * Checks the packed app in `dist/` as a user would get it: fuses, contents, and that it starts, shows its window and
 * ends. With production fuses Playwright cannot attach, so the window is reached through the debugging port.
 * Writes `test-results/package.json`, which CI counts like tests.
 */
import { listPackage } from "@electron/asar";
import { FuseState, FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import { existsSync, globSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packedApp, packedExecutable } from "./package-layout.ts";
import { checkPackedAppStarts } from "./packed-app.ts";
import { projectRoot } from "./project-root.ts";

type Check = { name: string; run: () => Promise<void> | void };
type Result = { name: string; error: string | null };

const archivePath = join(packedApp, "resources/app.asar");
const EXPECTED_FUSES = [
  [FuseV1Options.RunAsNode, FuseState.DISABLE],
  [FuseV1Options.EnableCookieEncryption, FuseState.ENABLE],
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable, FuseState.DISABLE],
  [FuseV1Options.EnableNodeCliInspectArguments, FuseState.DISABLE],
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation, FuseState.ENABLE],
  [FuseV1Options.OnlyLoadAppFromAsar, FuseState.ENABLE],
  [FuseV1Options.GrantFileProtocolExtraPrivileges, FuseState.DISABLE],
] as const;
/** Sources, tests and the development Node have no place in a package. */
const UNWANTED =
  /^\/(storage|pipeline|main|renderer|build|e2e|bench|tests|test-results)\/|^\/node_modules\/node-linux-|^\/out\/.*\.map$/;

async function hasProductionFuses(): Promise<void> {
  const wire = await getCurrentFuseWire(packedExecutable);
  const wrong = EXPECTED_FUSES.filter(([fuse, state]) => wire[fuse] !== state).map(
    ([fuse]) => FuseV1Options[fuse],
  );
  if (wrong.length > 0) throw new Error(`fuses not as they should be: ${wrong.join(", ")}`);
}

function holdsOnlyTheProduct(): void {
  const files = listPackage(archivePath, { isPack: false });
  const unwanted = files.filter((file) => UNWANTED.test(file));
  if (unwanted.length > 0) throw new Error(`should not be packed: ${unwanted.slice(0, 5).join(", ")}`);
  for (const file of ["/out/main/main.js", "/out/preload/preload.cjs", "/out/renderer/index.html"]) {
    if (!files.includes(file)) throw new Error(`${file} is not in the package`);
  }
}

function unpacksNativeModules(): void {
  const found = globSync("node_modules/**/*.{node,so}", { cwd: `${archivePath}.unpacked` });
  for (const part of ["better-sqlite3", "@duckdb/"]) {
    if (!found.some((file) => file.includes(part)))
      throw new Error(`no native module of ${part} beside the archive`);
  }
}

function hasNoDefaultApp(): void {
  if (existsSync(join(packedApp, "resources/default_app.asar")))
    throw new Error("default_app.asar was packed");
  if ((statSync(packedExecutable).mode & 0o111) === 0) throw new Error("the executable is not executable");
}

const CHECKS: readonly Check[] = [
  { name: "package has production fuses", run: hasProductionFuses },
  { name: "package holds the product and nothing else", run: holdsOnlyTheProduct },
  { name: "package keeps native modules outside the archive", run: unpacksNativeModules },
  { name: "package has an executable and no default app", run: hasNoDefaultApp },
  { name: "packed app starts, shows its window and ends cleanly", run: checkPackedAppStarts },
];

async function runCheck({ name, run }: Check): Promise<Result> {
  try {
    await run();
    console.log(`ok      ${name}`);
    return { name, error: null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    console.log(`failed  ${name}: ${message}`);
    return { name, error: message };
  }
}

const results: Result[] = [];
for (const check of CHECKS) results.push(await runCheck(check));

const reports = join(projectRoot, "test-results");
mkdirSync(reports, { recursive: true });
writeFileSync(join(reports, "package.json"), JSON.stringify(results, null, 2));
if (results.some((result) => result.error !== null)) process.exitCode = 1;
