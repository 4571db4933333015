import { existsSync } from "node:fs";
import { join } from "node:path";
import { app, utilityProcess } from "electron";
import { createInterface } from "node:readline";
import type { FromWorker, WorkerName } from "#pipeline/protocol/worker-messages.ts";
import { workerNodePath } from "../engine/node-path.ts";
import { createChildProcessHost } from "../supervisor/child-process-host.ts";
import type { ProcessExit, ProcessHost, WorkerProcess } from "../supervisor/process-host.ts";

/** Lowest Node inside Electron that runs better-sqlite3 13 (Node-API 10); below it an external Node 24 runs the workers. */
const NODE_MAJOR_MIN = 22;

/**
 * The host for this Electron: `utilityProcess` where its own Node is new enough, else an external Node 24
 * (HIGHWATER_NODE, or the one in the checkout). `mainFolder` is the built `out/main`, where the worker entries lie.
 */
export function createElectronHost(mainFolder: string): ProcessHost {
  const major = Number(process.versions.node.split(".")[0]);
  const entryOf = (worker: WorkerName): string => join(mainFolder, `${worker}.worker.js`);
  if (major >= NODE_MAJOR_MIN) return { start: (worker, env) => startUtility(entryOf(worker), worker, env) };
  return createChildProcessHost({ nodePath: workerNodePath(app.getAppPath()), entryOf: unpacked(entryOf) });
}

/** An external Node cannot read an asar; the packager unpacks the entries beside it. */
function unpacked(entryOf: (worker: WorkerName) => string): (worker: WorkerName) => string {
  return (worker) => {
    const entry = entryOf(worker);
    const outside = entry.replace(/app\.asar([/\\])/, "app.asar.unpacked$1");
    return existsSync(outside) ? outside : entry;
  };
}

function startUtility(
  entry: string,
  worker: WorkerName,
  env: Readonly<Record<string, string>>,
): WorkerProcess {
  const child = utilityProcess.fork(entry, [], {
    serviceName: `highwater-${worker}`,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const outputs: ((line: string) => void)[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on("line", (line) => outputs.forEach((listener) => listener(line)));
  }
  return {
    pid: () => child.pid ?? null,
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on("message", (message: FromWorker) => listener(message)),
    onOutput: (listener) => void outputs.push(listener),
    onExit: (listener) => void child.on("exit", (code) => listener(exitOf(code))),
  };
}

/** Signals come as the code of a utility process; 9 is SIGKILL, and no worker of ours exits with 9 or 15 itself. */
function exitOf(code: number): ProcessExit {
  if (code === 9) return { code: null, signal: "SIGKILL" };
  if (code === 15) return { code: null, signal: "SIGTERM" };
  return { code, signal: null };
}
