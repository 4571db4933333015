/**
 * `npm run test:e2e [-- playwright arguments]`: prepares Electron, builds the app, and runs the specs in the real
 * Electron, under a virtual display where there is none.
 */
import { join } from "node:path";
import { prepareElectron } from "./electron-runtime.ts";
import { ensureBuilt } from "./ensure-built.ts";
import { projectRoot } from "./project-root.ts";
import { runChild } from "./run-child.ts";

const needsVirtualDisplay =
  process.platform === "linux" && !process.env["DISPLAY"] && !process.env["WAYLAND_DISPLAY"];

const electron = await prepareElectron({ needsVirtualDisplay });
await ensureBuilt();
console.log(`end to end in Electron ${electron.electronVersion} (${electron.kind})`);

const playwright = [
  process.execPath,
  join(projectRoot, "node_modules/@playwright/test/cli.js"),
  "test",
  `--config=${join(projectRoot, "e2e/playwright.config.ts")}`,
  ...process.argv.slice(2),
];
const display = ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 1600x1000x24"];
const [command = process.execPath, ...args] = needsVirtualDisplay ? [...display, ...playwright] : playwright;

process.exitCode = await runChild(command, args, {
  cwd: projectRoot,
  env: {
    ...process.env,
    // Importing the electron package would otherwise try to download its binary and fail the whole file.
    ELECTRON_OVERRIDE_DIST_PATH: electron.distPath,
    HIGHWATER_NODE: process.env["HIGHWATER_NODE"] ?? process.execPath,
  },
});
