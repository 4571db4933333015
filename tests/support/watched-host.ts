import { setTimeout as delay } from "node:timers/promises";
import type { FailpointName } from "#storage/model/failpoints.ts";
import type { WorkerName } from "#pipeline/protocol/worker-messages.ts";
import { createCheckoutHost } from "#main/cli/local-host.ts";
import type { ProcessExit, ProcessHost } from "#main/supervisor/process-host.ts";

/** One start of a worker's process. */
export type Started = {
  readonly worker: WorkerName;
  readonly pid: number | null;
  readonly startedMs: number;
  exit: ProcessExit | null;
  exitedMs: number | null;
};

/** A failpoint armed in the environment of a worker's n-th start (1 = the first). */
export type Arm = {
  readonly worker: WorkerName;
  readonly start: number;
  readonly name: FailpointName;
  readonly hit: number;
  readonly reportPath: string;
};

/** The workers as real child processes from the sources, with a record of every start and end. */
export class WatchedHost implements ProcessHost {
  readonly started: Started[] = [];
  readonly arms: Arm[] = [];
  /** Lines that workers wrote to their standard output or error: there should be none. */
  readonly output: string[] = [];
  readonly #host = createCheckoutHost();

  readonly start: ProcessHost["start"] = (worker, env) => {
    const nth = this.started.filter((one) => one.worker === worker).length + 1;
    const arm = this.arms.find((one) => one.worker === worker && one.start === nth);
    const armed = arm === undefined ? "" : `${arm.name}:${arm.hit}:${arm.reportPath}`;
    const child = this.#host.start(worker, { ...env, HIGHWATER_FAILPOINT: armed });
    const record: Started = {
      worker,
      pid: child.pid(),
      startedMs: performance.now(),
      exit: null,
      exitedMs: null,
    };
    this.started.push(record);
    child.onOutput((line) => this.output.push(`${worker}: ${line}`));
    child.onExit((exit) => {
      record.exit = exit;
      record.exitedMs = performance.now();
    });
    return child;
  };

  startsOf(worker: WorkerName): number {
    return this.started.filter((one) => one.worker === worker).length;
  }

  /** Exits that nobody ordered with SIGKILL and that are no clean end. */
  unaskedExits(): readonly Started[] {
    return this.started.filter(({ exit }) => exit !== null && exit.signal !== "SIGKILL" && exit.code !== 0);
  }

  /** Kills whatever still runs (a failed test must leave nothing either), then says what had been left. */
  async end(): Promise<void> {
    const left = this.started.filter(({ pid, exit }) => exit === null && pid !== null && isAlive(pid));
    for (const { pid } of left) if (pid !== null) process.kill(pid, "SIGKILL");
    for (let i = 0; i < 100 && left.some(({ exit }) => exit === null); i += 1) await delay(20);
    if (left.length > 0) throw new Error(`left running: ${left.map(({ worker }) => worker).join(", ")}`);
  }
}

/** True while a process of this pid exists and is no zombie of somebody else's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
