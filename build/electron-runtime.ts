/**
 * Finds or makes the Electron that `npm start`, the end-to-end tests and packaging use. In this order:
 * ELECTRON_OVERRIDE_DIST_PATH, the official binary, a substitute made earlier, the official download, the substitute.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureLibraries } from "./electron-libraries.ts";
import { prepareSubstitute, substituteFolder } from "./electron-substitute.ts";
import { projectRoot } from "./project-root.ts";

export type ElectronRuntime = {
  execPath: string;
  /** What ELECTRON_OVERRIDE_DIST_PATH must name. */
  distPath: string;
  kind: "official" | "substitute";
  /** Chromium's flags for every start of it, the user's and the tests' alike. */
  flags: readonly string[];
  /** Electron's own version and the version of the Node inside it, without a leading v. */
  electronVersion: string;
  nodeVersion: string;
};

export type PrepareOptions = {
  /** Tests need a display of their own (xvfb). */
  needsVirtualDisplay?: boolean;
};

const EXECUTABLES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "Electron.app/Contents/MacOS/Electron",
  win32: "electron.exe",
};
/** 110 MB at 1 MB/s; a machine without a way out fails in the first second. */
const OFFICIAL_DOWNLOAD_LIMIT_MS = 2 * 60_000;
const PROBE_LIMIT_MS = 20_000;
const officialDist = join(projectRoot, "node_modules/electron/dist");

function executableIn(dist: string): string {
  return join(dist, EXECUTABLES[process.platform] ?? "electron");
}

function findPrepared(): string | null {
  const override = process.env["ELECTRON_OVERRIDE_DIST_PATH"];
  if (override !== undefined && override !== "") {
    if (existsSync(executableIn(override))) return override;
    throw new Error(`ELECTRON_OVERRIDE_DIST_PATH names ${override}, where no Electron is`);
  }
  return [officialDist, substituteFolder].find((dist) => existsSync(executableIn(dist))) ?? null;
}

/** Electron 45 has no install script; its own `install.js` downloads the binary and checks its sum. */
function downloadOfficial(): string | null {
  const installer = join(projectRoot, "node_modules/electron/install.js");
  const run = spawnSync(process.execPath, [installer], {
    stdio: "ignore",
    timeout: OFFICIAL_DOWNLOAD_LIMIT_MS,
  });
  return run.status === 0 && existsSync(executableIn(officialDist)) ? officialDist : null;
}

/** Asks the executable itself, so that a runtime that cannot start is never handed out. */
function probeVersions(execPath: string): { electronVersion: string; nodeVersion: string } {
  const script = "process.stdout.write(process.versions.electron + ' ' + process.versions.node)";
  const run = spawnSync(execPath, ["-e", script], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
    encoding: "utf8",
    timeout: PROBE_LIMIT_MS,
  });
  const [electronVersion, nodeVersion] = (run.stdout ?? "").split(" ");
  if (run.status !== 0 || !electronVersion || !nodeVersion) {
    throw new Error(`${execPath} does not start: ${run.error?.message ?? run.stderr.trim()}`);
  }
  return { electronVersion, nodeVersion };
}

/** Chromium's own complaints (no session bus, no GPU) would drown what the app says; level 3 is fatal only. */
const QUIET = "--log-level=3";
/**
 * One start of the substitute in about forty had no GPU process under Xvfb: its page waited for ever (index.html was there, no
 * frame came). So its graphics are done in main's process.
 */
const IN_PROCESS_GPU = "--in-process-gpu";

function flagsOf(kind: ElectronRuntime["kind"]): readonly string[] {
  return kind === "substitute" ? [QUIET, IN_PROCESS_GPU] : [QUIET];
}

/**
 * Returns an Electron that starts on this machine. Rejects with a message for a person (what is missing and the exact
 * command that brings it) when none can be had.
 */
export async function prepareElectron(options: PrepareOptions = {}): Promise<ElectronRuntime> {
  const distPath = findPrepared() ?? downloadOfficial() ?? (await prepareSubstitute());
  const execPath = executableIn(distPath);
  ensureLibraries(execPath, options.needsVirtualDisplay ?? false);
  const versions = probeVersions(execPath);
  const kind = distPath === substituteFolder ? "substitute" : "official";
  return { execPath, distPath, kind, flags: flagsOf(kind), ...versions };
}
