import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "#storage/files/write-file-atomic.ts";

const boundsSchema = z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) });

const layoutSchema = z.object({
  bounds: boundsSchema.nullable().catch(null),
  isMaximized: z.boolean().catch(false),
  theme: z.enum(["system", "dark", "light"]).catch("system"),
});

/** Place of a window or a screen, in device-independent pixels. */
export type Bounds = z.infer<typeof boundsSchema>;

/** What of the window survives a restart. */
export type WindowLayout = z.infer<typeof layoutSchema>;

export const FRESH_LAYOUT: WindowLayout = { bounds: null, isMaximized: false, theme: "system" };

/** A first window; the picture that the workbench is drawn after has this size. */
const FIRST_SIZE = { width: 1_440, height: 900 };
/** So much of the title bar must be on a screen, or the window cannot be grabbed. */
const GRIP = { width: 100, height: 35 };

function fileIn(workspace: string): string {
  return join(workspace, "layout.json");
}

/**
 * The layout saved last in any of the workspaces: a run that fell back to the demo feed saved the window's place in the demo's
 * folder, and the next start is live again. Missing and unreadable files are passed over, without any it is a fresh layout:
 * losing a window's place must never stop a start.
 */
export async function readLayout(workspaces: readonly string[]): Promise<WindowLayout> {
  const found = await Promise.all(workspaces.map(readOne));
  const newest = found
    .filter((saved) => saved !== null)
    .toSorted((left, right) => right.savedMs - left.savedMs)
    .at(0);
  return newest?.layout ?? FRESH_LAYOUT;
}

async function readOne(
  workspace: string,
): Promise<{ readonly layout: WindowLayout; readonly savedMs: number } | null> {
  try {
    const path = fileIn(workspace);
    const parsed = layoutSchema.safeParse(JSON.parse(await readFile(path, "utf8")));
    return parsed.success ? { layout: parsed.data, savedMs: (await stat(path)).mtimeMs } : null;
  } catch {
    return null;
  }
}

/** Saves the layout, old or new as a whole. Rejects when the folder cannot be written. */
export async function writeLayout(workspace: string, layout: WindowLayout): Promise<void> {
  await writeFileAtomic(fileIn(workspace), `${JSON.stringify(layout, null, 2)}\n`);
}

function overlap(from: number, length: number, otherFrom: number, otherLength: number): number {
  return Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom);
}

/** Where the window opens: its saved place where that can still be grabbed on one of the screens, else centred on the first. */
export function placeWindow(
  saved: Bounds | null,
  screens: readonly Bounds[],
): Partial<Bounds> & { readonly width: number; readonly height: number } {
  const canGrab = (screen: Bounds, bounds: Bounds): boolean =>
    overlap(bounds.x, bounds.width, screen.x, screen.width) >= GRIP.width &&
    overlap(bounds.y, GRIP.height, screen.y, screen.height) >= GRIP.height;
  if (saved !== null && screens.some((screen) => canGrab(screen, saved))) return saved;
  const first = screens[0];
  const wanted = saved ?? FIRST_SIZE;
  if (first === undefined) return { width: wanted.width, height: wanted.height };
  return { width: Math.min(wanted.width, first.width), height: Math.min(wanted.height, first.height) };
}
