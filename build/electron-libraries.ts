/** The Debian libraries that Electron is linked against: which are missing, and how to get them. */
import { spawnSync } from "node:child_process";

/** Together they bring every library that `ldd` names on a bare Debian 12; xvfb and xauth give tests a display. */
const PACKAGES = ["libgtk-3-0", "libnss3", "libasound2", "libgbm1", "xvfb", "xauth"];
/** Debian 13 and Ubuntu 24.04 renamed these for their 64-bit time transition. */
const RENAMED = new Map([
  ["libgtk-3-0", "libgtk-3-0t64"],
  ["libasound2", "libasound2t64"],
]);
const INSTALL_LIMIT_MS = 5 * 60_000;

function isKnownToApt(name: string): boolean {
  return spawnSync("apt-cache", ["show", name], { stdio: "ignore" }).status === 0;
}

function packageNames(): string[] {
  return PACKAGES.map((name) => {
    const renamed = RENAMED.get(name);
    return renamed !== undefined && isKnownToApt(renamed) ? renamed : name;
  });
}

/** Names of the shared libraries that the loader does not find for `execPath`; empty off Linux. */
export function missingLibraries(execPath: string): string[] {
  if (process.platform !== "linux") return [];
  const { stdout } = spawnSync("ldd", [execPath], { encoding: "utf8" });
  return [...(stdout ?? "").matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? "");
}

/** Whether the tools that give a test a display are there. */
export function hasVirtualDisplay(): boolean {
  return ["Xvfb", "xauth"].every((tool) => spawnSync("which", [tool], { stdio: "ignore" }).status === 0);
}

function apt(args: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const run = spawnSync("apt-get", args, { env, encoding: "utf8", timeout: INSTALL_LIMIT_MS });
  if (run.status !== 0) {
    throw new Error(`apt-get ${args.join(" ")} failed: ${(run.stderr || run.error?.message) ?? "no output"}`);
  }
}

/**
 * Makes sure that `execPath` finds its libraries. Installs them only as root in CI, since nobody wants a script to
 * change their system; elsewhere throws an error that holds the exact command.
 */
export function ensureLibraries(execPath: string, needsVirtualDisplay: boolean): void {
  const missing = missingLibraries(execPath);
  if (missing.length === 0 && (!needsVirtualDisplay || hasVirtualDisplay())) return;

  const lacks = missing.length > 0 ? `Electron misses ${missing.join(", ")}` : "tests need xvfb and xauth";
  const mayInstall = process.getuid?.() === 0 && Boolean(process.env["CI"]);
  if (!mayInstall) {
    throw new Error(
      `${lacks}; install with: sudo apt-get update && sudo apt-get install -y ${packageNames().join(" ")}`,
    );
  }
  console.error(`${lacks}; installing with apt-get`);
  apt(["update", "-qq"]);
  apt(["install", "-y", "-qq", ...packageNames()]);
  const still = missingLibraries(execPath);
  if (still.length > 0) throw new Error(`Electron still misses ${still.join(", ")}`);
}
