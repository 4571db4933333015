import { join } from "node:path";
import { workerNodePath } from "../engine/node-path.ts";
import { createChildProcessHost } from "../supervisor/child-process-host.ts";
import { COMPILE_CACHE, PROJECT_ROOT } from "./checkout.ts";
import type { ProcessHost } from "../supervisor/process-host.ts";

/** Workers straight from the TypeScript sources of a checkout; no build needed. */
export function createCheckoutHost(root: string = PROJECT_ROOT): ProcessHost {
  return createChildProcessHost({
    nodePath: workerNodePath(root),
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
    entryOf: (worker) => join(root, "pipeline", "workers", `${worker}.worker.ts`),
  });
}
