import { join } from "node:path";
import { workerNodePath } from "../engine/node-path.ts";
import { createChildProcessHost } from "../supervisor/child-process-host.ts";
import type { ProcessHost } from "../supervisor/process-host.ts";

/** Root of the checkout: two folders above this file. */
export const PROJECT_ROOT = join(import.meta.dirname, "..", "..");

/** Workers straight from the TypeScript sources of a checkout; no build needed. */
export function createCheckoutHost(root: string = PROJECT_ROOT): ProcessHost {
  return createChildProcessHost({
    nodePath: workerNodePath(root),
    entryOf: (worker) => join(root, "pipeline", "workers", `${worker}.worker.ts`),
  });
}
