import { fork } from "node:child_process";
import { createInterface } from "node:readline";
import type { FromWorker, WorkerName } from "#pipeline/protocol/worker-messages.ts";
import type { ProcessExit, ProcessHost, WorkerProcess } from "./process-host.ts";

/** Where the entry of a worker lies and which Node runs it. */
export type ChildProcessHostOptions = {
  /** A Node of at least 24.15 (better-sqlite3 13 crashes below 22). */
  readonly nodePath: string;
  readonly entryOf: (worker: WorkerName) => string;
  /** For every worker, beside this process's own. */
  readonly env?: Readonly<Record<string, string>>;
};

/**
 * The pipeline worker has two busy threads: V8's own, four by default, fight them for the cores, and with young generations of
 * 16 MB a batch's rows are copied several times before they are posted. Catching up on 150 k events: 64 → 59 µs of CPU an event,
 * and 750 → 600 MB at the peak.
 */
const PIPELINE_FLAGS = ["--v8-pool-size=1", "--min-semi-space-size=16", "--max-semi-space-size=16"];
/** glibc keeps freed memory per arena, and makes eight arenas a core. */
const PIPELINE_ENV = { MALLOC_ARENA_MAX: "2" };

/** Workers as `child_process` children with structured-clone messages. */
export function createChildProcessHost(options: ChildProcessHostOptions): ProcessHost {
  return { start: (worker, env) => startChild(options, worker, env) };
}

function startChild(
  options: ChildProcessHostOptions,
  worker: WorkerName,
  env: Readonly<Record<string, string>>,
): WorkerProcess {
  const child = fork(options.entryOf(worker), [], {
    execPath: options.nodePath,
    execArgv: ["--disable-warning=ExperimentalWarning", ...(worker === "pipeline" ? PIPELINE_FLAGS : [])],
    serialization: "advanced",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, ...options.env, ...(worker === "pipeline" ? PIPELINE_ENV : {}), ...env },
  });
  const messages: ((message: FromWorker) => void)[] = [];
  const outputs: ((line: string) => void)[] = [];
  const exits: ((exit: ProcessExit) => void)[] = [];
  child.on("message", (message: FromWorker) => messages.forEach((listener) => listener(message)));
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on("line", (line) => outputs.forEach((listener) => listener(line)));
  }
  let exited = false;
  const tellExit = (exit: ProcessExit): void => {
    if (exited) return;
    exited = true;
    exits.forEach((listener) => listener(exit));
  };
  // A binary that cannot be started emits `error` and never `close`.
  child.on("error", (error) => {
    outputs.forEach((listener) => listener(String(error)));
    if (child.pid === undefined) tellExit({ code: -1, signal: null });
  });
  child.on("close", (code, signal) => tellExit({ code, signal }));
  return {
    pid: () => child.pid ?? null,
    send: (message) => {
      // A child that just died makes send fail; its exit follows and decides what happens.
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage: (listener) => void messages.push(listener),
    onOutput: (listener) => void outputs.push(listener),
    onExit: (listener) => void exits.push(listener),
  };
}
