import { existsSync, readFileSync } from "node:fs";

/** A clock tick of the kernel's accounts (USER_HZ), ms. */
const TICK_MS = 10;

/** CPU time that a process has used, ms; null where it is gone (or the system keeps no such account: only Linux does). */
export function cpuMs(pid: number): number | null {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return null;
  try {
    // The name in brackets may hold blanks; utime and stime are the 14th and 15th field.
    const fields = readFileSync(path, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    // Gone between the look and the reading.
    return null;
  }
}
