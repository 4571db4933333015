import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { projectRoot } from "./project-root.ts";

const manifest = z
  .object({ name: z.string(), version: z.string() })
  .parse(JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")));

/** Base name of the archive and of the folder inside it. */
export const packageName = `${manifest.name}-${manifest.version}-${process.platform}-${process.arch}`;

/** What electron-builder calls the folder below `dist/` on Linux. */
export const unpackedFolder = "linux-unpacked";

/** Absolute path of the packed app and of its executable (Linux). */
export const packedApp = join(projectRoot, "dist", unpackedFolder);
export const packedExecutable = join(packedApp, "highwater");
