import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Makes a folder of this process's own in `parent` (`<name>-<pid>-<random>`), and removes those that killed processes left
 * there: spill files of a killed query worker must not wait for the app's next start. The caller removes its own.
 */
export async function makeWorkFolder(parent: string, name: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  for (const entry of await readdir(parent)) {
    const pid = new RegExp(`^${name}-(\\d+)-`).exec(entry)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(parent, entry), { recursive: true, force: true });
  }
  return mkdtemp(join(parent, `${name}-${process.pid}-`));
}

/** A process of that number exists. One that has taken over a dead one's number only delays the removal. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
