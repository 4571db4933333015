/**
 * `npm run package`: builds the app, packs it with the Electron at hand into `dist/`, makes a plain archive of it, and
 * checks that the result starts (check-package.ts; `--no-check` leaves that out).
 */
import { build, Platform, type Configuration } from "electron-builder";
import { spawnSync } from "node:child_process";
import { cpSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { packageName, unpackedFolder } from "./package-layout.ts";
import { prepareElectron, type ElectronRuntime } from "./electron-runtime.ts";
import { ensureBuilt } from "./ensure-built.ts";
import { projectRoot } from "./project-root.ts";

const distFolder = join(projectRoot, "dist");
const electronCopy = join(distFolder, "electron");

/** What an Electron without utilityProcess-ready Node needs: its workers run in an external Node, which reads no asar. */
const UNPACKED_FOR_EXTERNAL_NODE = ["out/main/**", "node_modules/**", "package.json"];

function configuration(electron: ElectronRuntime): Configuration {
  const needsExternalNode = electron.kind === "substitute";
  return {
    appId: "dev.highwater.workbench",
    productName: "Highwater",
    executableName: "highwater",
    electronVersion: electron.electronVersion,
    electronDist: electronCopy,
    directories: { output: distFolder, buildResources: join(projectRoot, "build/resources") },
    files: [
      "package.json",
      "out/{main,preload,renderer}/**",
      "!**/*.map",
      "!node_modules/node-linux-*{,/**}",
      "!node_modules/{better-sqlite3/deps,better-sqlite3/src,zod/src}/**",
    ],
    asar: true,
    asarUnpack: ["**/*.node", "**/*.so*", ...(needsExternalNode ? UNPACKED_FOR_EXTERNAL_NODE : [])],
    npmRebuild: false,
    publish: null,
    electronFuses: {
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    },
  };
}

/** Copies the runtime without the default app, which would otherwise be shipped beside ours. */
function copyElectron(electron: ElectronRuntime): void {
  rmSync(distFolder, { recursive: true, force: true });
  cpSync(electron.distPath, electronCopy, {
    recursive: true,
    filter: (source) => !source.endsWith("default_app.asar"),
  });
}

function archive(): string {
  const file = join(distFolder, `${packageName}.tar.gz`);
  const rename = `--transform=s,^${unpackedFolder},${packageName},`;
  const run = spawnSync("tar", ["-czf", file, "-C", distFolder, rename, unpackedFolder], {
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(`tar failed: ${run.stderr}`);
  return file;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

const electron = await prepareElectron();
await ensureBuilt();
copyElectron(electron);
await build({
  targets: Platform.current().createTarget("dir"),
  projectDir: projectRoot,
  config: configuration(electron),
  // electron-builder would otherwise want to publish by itself as soon as it sees CI.
  publish: "never",
});
rmSync(electronCopy, { recursive: true, force: true });
console.log(
  `packed with Electron ${electron.electronVersion} (${electron.kind}) in ${join(distFolder, unpackedFolder)}`,
);

if (process.platform === "linux") {
  const file = archive();
  console.log(`${file}: ${megabytes(statSync(file).size)}`);
  if (!process.argv.includes("--no-check")) await import("./check-package.ts");
}
