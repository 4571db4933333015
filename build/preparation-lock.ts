import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** A preparation downloads about 200 MB; one that takes longer than this is stuck. */
const MAX_WAIT_MS = 15 * 60_000;
const POLL_MS = 250;

function holderOf(lockFolder: string): number | null {
  try {
    const pid = Number(readFileSync(join(lockFolder, "pid"), "utf8"));
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    // Between the holder's mkdir and its write of the pid, or just released: look again.
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: alive, but another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function tryTake(lockFolder: string): boolean {
  try {
    mkdirSync(lockFolder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(lockFolder, "pid"), String(process.pid));
  return true;
}

/**
 * Runs `work` while no other process prepares the same thing. The lock is a folder with the holder's pid; it is
 * taken over when that process is gone, or when no pid was written for a whole wait. Says once that it waits.
 */
export async function withPreparationLock<T>(lockFolder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(lockFolder), { recursive: true });
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  let polls = 0;
  while (!tryTake(lockFolder)) {
    const holder = holderOf(lockFolder);
    const abandoned = holder === null ? polls * POLL_MS > 5_000 : !isAlive(holder);
    if (abandoned) {
      rmSync(lockFolder, { recursive: true, force: true });
      continue;
    }
    if (performance.now() > deadlineMs)
      throw new Error(`${lockFolder} is held by process ${holder ?? "unknown"}`);
    if (polls === 0)
      console.error(`waiting for process ${holder ?? "unknown"} to finish the same preparation`);
    polls += 1;
    await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
  }
}
