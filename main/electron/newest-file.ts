import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Reads the file of one name that was saved last in any of the folders: a run that fell back to the demo feed saved it in the
 * demo's folder, and the next start is live again. `parse` returns null for a text it cannot use; such files and missing ones
 * are passed over: losing a window's place must never stop a start.
 */
export async function readNewest<T>(
  folders: readonly string[],
  name: string,
  parse: (text: string) => T | null,
): Promise<T | null> {
  const read = async (folder: string): Promise<{ readonly value: T; readonly savedMs: number } | null> => {
    try {
      const path = join(folder, name);
      const value = parse(await readFile(path, "utf8"));
      return value === null ? null : { value, savedMs: (await stat(path)).mtimeMs };
    } catch {
      return null;
    }
  };
  const found = (await Promise.all(folders.map(read))).filter((saved) => saved !== null);
  return found.toSorted((left, right) => right.savedMs - left.savedMs).at(0)?.value ?? null;
}
