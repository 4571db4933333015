/**
 * Stands in for Electron's own default app, which the substitute runtime lacks: `electron [flags] [-r FILE] FOLDER`
 * starts the app in FOLDER as the official binary does (electron/default_app/main.ts).
 */
import { app } from "electron";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);

/** Splits the command line into modules to load first and the app's folder; other leading flags are Chromium's. */
function readCommandLine(args) {
  const preloads = [];
  for (let at = 0; at < args.length; at += 1) {
    if (args[at] === "-r" || args[at] === "--require") preloads.push(args[(at += 1)]);
    else if (!args[at].startsWith("-")) return { preloads, folder: args[at] };
  }
  return { preloads, folder: undefined };
}

const { preloads, folder } = readCommandLine(process.argv.slice(1));
for (const file of preloads) require(file);

if (folder === undefined) {
  process.stderr.write("usage: electron [flags] FOLDER\n");
  app.exit(64);
} else {
  const appPath = resolve(folder);
  const manifest = JSON.parse(readFileSync(join(appPath, "package.json"), "utf8"));
  Object.defineProperty(process, "defaultApp", { value: true, enumerable: true });
  if (manifest.version) app.setVersion(manifest.version);
  app.setName(manifest.productName ?? manifest.name ?? "Electron");
  app.setAppPath(appPath);
  // Awaited, so that Electron's "ready" waits for the app's own module, as it does with the official default app.
  await import(pathToFileURL(resolve(appPath, manifest.main ?? "index.js")).href);
}
