/**
 * `npm start`: the workbench in a window or, where no window can be had, the same pipeline in the terminal.
 * Arguments are passed on (`npm start -- --data DIR`); `--headless` asks for the terminal.
 */
import { join } from "node:path";
import { prepareElectron, type ElectronRuntime } from "./electron-runtime.ts";
import { ensureBuilt } from "./ensure-built.ts";
import { projectRoot } from "./project-root.ts";
import { runChild } from "./run-child.ts";

const args = process.argv.slice(2);

/** One line that says why there will be no window, or null. */
function reasonAgainstWindow(): string | null {
  if (args.includes("--headless")) return "asked for by --headless";
  const hasDisplay = Boolean(process.env["DISPLAY"]) || Boolean(process.env["WAYLAND_DISPLAY"]);
  return process.platform === "linux" && !hasDisplay ? "no display" : null;
}

async function prepareWindow(): Promise<ElectronRuntime | string> {
  try {
    const electron = await prepareElectron();
    await ensureBuilt();
    return electron;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function startInTerminal(reason: string): Promise<number> {
  console.error(`running in the terminal: ${reason}`);
  const cli = join(projectRoot, "main/cli/highwater.ts");
  const rest = args.filter((arg) => arg !== "--headless");
  return runChild(process.execPath, [cli, "start", "--headless", ...rest], {});
}

function startWindow(electron: ElectronRuntime): Promise<number> {
  // Chromium refuses its sandbox to root; everyone else gets it.
  const sandboxFlags = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return runChild(electron.execPath, [...sandboxFlags, ...electron.flags, projectRoot, ...args], {
    // Workers run in this Node where Electron's own is too old for better-sqlite3.
    env: { ...process.env, HIGHWATER_NODE: process.env["HIGHWATER_NODE"] ?? process.execPath },
  });
}

/** better-sqlite3 13 needs Node 22 and our sources need type stripping; this is the line that was tested. */
function isNodeNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 15);
}

if (isNodeNewEnough(process.versions.node)) {
  const electron = reasonAgainstWindow() ?? (await prepareWindow());
  process.exitCode = await (typeof electron === "string" ? startInTerminal(electron) : startWindow(electron));
} else {
  console.error(`Highwater needs Node 24.15 or newer; this is ${process.version}`);
  process.exitCode = 1;
}
