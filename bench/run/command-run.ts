import { spawn } from "node:child_process";
import { join } from "node:path";
import { workerNodePath } from "#main/engine/node-path.ts";
import { PROJECT_ROOT } from "#main/cli/checkout.ts";

const STOP_LIMIT_MS = 15_000;

/** `highwater run` in a process of its own, with its real workers. Must be stopped. */
export type CommandRun = {
  readonly pid: number;
  /** Wall clock when the process was started, ms. */
  readonly startedMs: number;
  /** Exit code once it ended, else null. */
  readonly ended: () => number | null;
  /** What it last said on standard error. */
  readonly lastLine: () => string;
  /** As Ctrl+C; by force when that takes too long. */
  readonly stop: () => Promise<void>;
};

/** Starts `highwater run` with these arguments on a data folder. */
export function startRun(dataFolder: string, args: readonly string[]): CommandRun {
  const startedMs = Date.now();
  const child = spawn(
    workerNodePath(PROJECT_ROOT),
    [join(PROJECT_ROOT, "main", "cli", "highwater.ts"), "run", "--json", "--data", dataFolder, ...args],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  if (child.pid === undefined) throw new Error("highwater could not be started");
  let [code, last]: [number | null, string] = [null, ""];
  const gone = Promise.withResolvers<void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => (last = text.trim().slice(-500) || last));
  child.on("close", (exitCode) => {
    code = exitCode ?? -1;
    gone.resolve();
  });
  return {
    pid: child.pid,
    startedMs,
    ended: () => code,
    lastLine: () => last,
    stop: async () => {
      if (code !== null) return;
      child.kill("SIGINT");
      const force = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
      await gone.promise;
      clearTimeout(force);
    },
  };
}

/** Throws when the run ended although it was not asked to. */
export function assertRunning(run: CommandRun): void {
  const code = run.ended();
  if (code !== null) throw new Error(`highwater run ended with exit code ${code}: ${run.lastLine()}`);
}
