import { join, resolve } from "node:path";
import type { SourceName } from "../model/brand.ts";

/** Where everything of one data folder lives (architecture.md "Who writes what"). All paths absolute. */
export type DataFolder = {
  readonly root: string;
  readonly log: (source: SourceName) => string;
  readonly logRoot: string;
  readonly logLock: string;
  readonly lake: string;
  readonly lakeData: string;
  readonly catalog: string;
  readonly lakeLock: string;
  readonly leases: string;
  readonly logs: string;
  readonly tmp: string;
  readonly quarantine: string;
  readonly reports: string;
  readonly workspace: string;
  readonly settings: string;
  readonly lastSeen: string;
  readonly socket: string;
};

/** The layout of the data folder at `root` (any form of path; trailing slashes and `/./` do not matter). Touches nothing. */
export function dataFolderAt(root: string): DataFolder {
  const base = resolve(root);
  return {
    root: base,
    log: (source) => join(base, "log", source),
    logRoot: join(base, "log"),
    logLock: join(base, "log", "writer.lock"),
    lake: join(base, "lake"),
    lakeData: join(base, "lake", "data"),
    catalog: join(base, "lake", "catalog.sqlite"),
    lakeLock: join(base, "lake", "writer.lock"),
    leases: join(base, "leases"),
    logs: join(base, "logs"),
    tmp: join(base, "tmp"),
    quarantine: join(base, "quarantine"),
    reports: join(base, "reports"),
    workspace: join(base, "workspace"),
    settings: join(base, "workspace", "settings.json"),
    lastSeen: join(base, "workspace", "last-seen.json"),
    socket: join(base, "app.sock"),
  };
}
