import { readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";

/** Files of this run's own folder that could not be read, by their new names. */
export type SetAside = {
  /** The folder in use: only there may a file be moved, since only its fence is held. */
  readonly folder: string;
  readonly onSetAside: (path: string) => void;
};

/**
 * Reads the file of one name that was saved last in any of the folders: a run that fell back to the demo feed saved it in the
 * demo's folder, and the next start is live again. `parse` returns null (or throws) for a text it cannot use; such files are
 * passed over, and in the folder in use they are set aside, never deleted: losing a window's place must never stop a start.
 */
export async function readNewest<T>(
  folders: readonly string[],
  name: string,
  parse: (text: string) => T | null,
  aside: SetAside,
): Promise<T | null> {
  const read = async (folder: string): Promise<{ readonly value: T; readonly savedMs: number } | null> => {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found === null) return null;
    const value = await readFile(path, "utf8")
      .then(parse)
      .catch(() => null);
    if (value !== null) return { value, savedMs: found.mtimeMs };
    if (folder === aside.folder) await setAside(path, aside.onSetAside);
    return null;
  };
  const found = (await Promise.all(folders.map(read))).filter((saved) => saved !== null);
  return found.toSorted((left, right) => right.savedMs - left.savedMs).at(0)?.value ?? null;
}

async function setAside(path: string, onSetAside: (path: string) => void): Promise<void> {
  const kept = `${path}.unreadable-${new Date().toISOString().replaceAll(":", "-")}`;
  // Where even that fails (a read-only folder), the next save says so; the start goes on.
  await rename(path, kept).then(
    () => onSetAside(kept),
    () => undefined,
  );
}
