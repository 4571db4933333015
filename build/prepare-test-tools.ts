/**
 * Fetches what the conformance tests compare our files with, into the ignored folder `.extensions/`:
 * DuckDB's own `ducklake` and `sqlite_scanner` extensions and a Python environment with pyarrow.
 * Idempotent. When something cannot be fetched it says what is missing; that fails in CI only.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withPreparationLock } from "./preparation-lock.ts";
import { projectRoot } from "./project-root.ts";
import { unzip } from "./unzip.ts";

/** Must equal the DuckDB inside the pinned @duckdb/node-api; DuckDB itself checks the signature when it loads one. */
const EXTENSION_VERSION = "1.5.5";
const EXTENSIONS = ["ducklake", "sqlite_scanner"];
const PYARROW = "pyarrow==26.0.1";
const COMMAND_LIMIT_MS = 5 * 60_000;

const toolsFolder = join(projectRoot, ".extensions");
const workFolder = join(toolsFolder, "work");
const venvFolder = join(toolsFolder, "venv");
const venvPython = join(venvFolder, "bin/python");
const isRootInCi = process.getuid?.() === 0 && Boolean(process.env["CI"]);

function run(command: string, args: readonly string[]): void {
  const env = { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: "1", DEBIAN_FRONTEND: "noninteractive" };
  const done = spawnSync(command, args, { env, encoding: "utf8", timeout: COMMAND_LIMIT_MS });
  if (done.status === 0) return;
  const reason = done.error?.message ?? `${done.stdout}${done.stderr}`.trim().split("\n").slice(-2).join(" ");
  throw new Error(`${command} ${args.join(" ")} failed: ${reason}`);
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore", timeout: COMMAND_LIMIT_MS }).status === 0;
}

/** A program of Debian's that tests use; only root in CI installs it. */
function ensureProgram(name: string, versionFlag: string): void {
  if (process.platform !== "linux" || succeeds(name, [versionFlag])) return;
  if (!isRootInCi) throw new Error(`${name} is missing; install with: sudo apt-get install -y ${name}`);
  run("apt-get", ["update", "-qq"]);
  run("apt-get", ["install", "-y", "-qq", name]);
}

/** strace shows which files a start opens; openssl makes the private certificates of a company's proxy. */
function ensurePrograms(): void {
  ensureProgram("strace", "-V");
  ensureProgram("openssl", "version");
}

function makeVenv(): void {
  // Debian ships Python without the module that puts pip into a new environment.
  if (!succeeds("python3", ["-c", "import venv, ensurepip"])) {
    if (!isRootInCi) throw new Error("install with: sudo apt-get install -y python3-venv");
    run("apt-get", ["update", "-qq"]);
    run("apt-get", ["install", "-y", "-qq", "python3-venv"]);
  }
  run("python3", ["-m", "venv", "--clear", venvFolder]);
}

function ensurePyarrow(): void {
  const check = `import importlib.metadata as m, pyarrow.parquet; assert "pyarrow==" + m.version("pyarrow") == "${PYARROW}"`;
  if (succeeds(venvPython, ["-c", check])) return;
  if (!succeeds(venvPython, ["-m", "pip", "--version"])) makeVenv();
  run(venvPython, ["-m", "pip", "install", "--quiet", PYARROW]);
}

async function fetchExtension(name: string): Promise<void> {
  const target = join(toolsFolder, `${name}.duckdb_extension`);
  const versionFile = join(toolsFolder, `${name}.version`);
  const isThere = existsSync(target) && existsSync(versionFile);
  if (isThere && readFileSync(versionFile, "utf8") === EXTENSION_VERSION) return;

  await rm(workFolder, { recursive: true, force: true });
  await mkdir(workFolder, { recursive: true });
  const requirement = `duckdb-extension-${name.replaceAll("_", "-")}==${EXTENSION_VERSION}`;
  run(venvPython, ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", workFolder, requirement]);
  const wheel = (await readdir(workFolder)).find((file) => file.endsWith(".whl"));
  if (wheel === undefined) throw new Error(`pip left no wheel of ${requirement}`);

  const member = `/extensions/v${EXTENSION_VERSION}/${name}.duckdb_extension`;
  const unpacked = await unzip(join(workFolder, wheel), workFolder, (file) =>
    file.endsWith(member) ? "extension" : null,
  );
  if (unpacked !== 1) throw new Error(`${wheel} does not hold ${member}`);
  await rename(join(workFolder, "extension"), target);
  await writeFile(versionFile, EXTENSION_VERSION);
  await rm(workFolder, { recursive: true, force: true });
}

async function attempt(what: string, work: () => Promise<void> | void): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    console.error(`missing ${what}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

const complete = await withPreparationLock(join(toolsFolder, "lock"), async () => {
  const results = [await attempt("strace", ensurePrograms), await attempt("pyarrow", ensurePyarrow)];
  for (const name of EXTENSIONS) {
    results.push(await attempt(`DuckDB's ${name} extension`, () => fetchExtension(name)));
  }
  return results.every(Boolean);
});
console.log(
  complete
    ? `test tools are ready in ${toolsFolder}`
    : "some test tools are missing; the tests that need them will say so",
);
if (!complete && process.env["CI"]) process.exitCode = 1;
