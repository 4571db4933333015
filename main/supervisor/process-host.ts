import type { FromWorker, ToWorker, WorkerName } from "#pipeline/protocol/worker-messages.ts";

/** How a process ended. Electron's utility process reports the signal's number as a code; hosts put that right. */
export type ProcessExit = { readonly code: number | null; readonly signal: string | null };

/** One running worker process, whatever started it. */
export type WorkerProcess = {
  /** Null until the operating system has started it. */
  readonly pid: () => number | null;
  readonly send: (message: ToWorker) => void;
  readonly onMessage: (listener: (message: FromWorker) => void) => void;
  /** Lines of standard output and error: crash traces, warnings of the runtime. */
  readonly onOutput: (listener: (line: string) => void) => void;
  /** Called once, after the process is gone and its pipes are drained. */
  readonly onExit: (listener: (exit: ProcessExit) => void) => void;
};

/** Starts worker processes: `utilityProcess` in Electron with Node 22 or newer, `child_process` with a Node 24 elsewhere. */
export type ProcessHost = {
  readonly start: (worker: WorkerName, env: Readonly<Record<string, string>>) => WorkerProcess;
};
