import { statfsSync } from "node:fs";

/** Bytes that this user may still write on the file system of `path` (which must exist). */
export function diskFreeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
