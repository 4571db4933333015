import { readdirSync, readFileSync } from "node:fs";
import type { WorkerName } from "#pipeline/protocol/worker-messages.ts";

/** Ticks of /proc/<pid>/stat: USER_HZ is 100 on every Linux that Node runs on. */
const TICK_MS = 10;

/** True where the kernel tells about other processes in /proc; elsewhere memory and CPU of workers are not measured. */
export function hasProcessFigures(): boolean {
  return process.platform === "linux";
}

/** A worker process below a parent, by the entry it runs. */
export type FoundWorker = { readonly name: string; readonly pid: number };

/** Worker processes whose parent is `pid`. */
export function workersOf(pid: number): readonly FoundWorker[] {
  return childrenOf(pid).flatMap((child) => {
    const name = /\/(\w+)\.worker\.[a-z]+/.exec(read(`/proc/${child}/cmdline`))?.[1];
    return name === undefined ? [] : [{ name, pid: child }];
  });
}

/** The pid of one worker below a parent, or null while there is none. */
export function workerPid(parent: number, name: WorkerName): number | null {
  return workersOf(parent).find((worker) => worker.name === name)?.pid ?? null;
}

function childrenOf(pid: number): readonly number[] {
  // A process's threads each have their own list of children.
  const tasks = list(`/proc/${pid}/task`);
  return tasks.flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`)
      .split(" ")
      .filter((text) => text !== "")
      .map(Number),
  );
}

/** CPU time that a process has used so far, all its threads, ms; 0 for one that is gone. */
export function cpuMs(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  // The name in parentheses may hold spaces; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" ? 0 : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Largest resident memory that a process ever had, bytes; 0 for one that is gone. */
export function peakRssBytes(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kilobytes ?? 0) * 1_024;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process ended between two looks.
    return "";
  }
}

function list(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    // As above.
    return [];
  }
}
