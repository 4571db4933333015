import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "#storage/files/write-file-atomic.ts";
import { THEME_CHOICES } from "../contract/theme.ts";
import { readNewest, type SetAside } from "./newest-file.ts";

const boundsSchema = z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) });

const layoutSchema = z.object({
  bounds: boundsSchema.nullable().catch(null),
  isMaximized: z.boolean().catch(false),
  theme: z.enum(THEME_CHOICES).catch("system"),
});

/** Place of a window or a screen, in device-independent pixels. */
export type Bounds = z.infer<typeof boundsSchema>;

/** What of the window survives a restart. */
export type WindowLayout = z.infer<typeof layoutSchema>;

export const FRESH_LAYOUT: WindowLayout = { bounds: null, isMaximized: false, theme: "system" };

/** A first window; the picture that the workbench is drawn after has this size. */
const FIRST_SIZE = { width: 1_440, height: 900 };
/** Where no screen is known; the largest ones sold are smaller. */
const LARGEST_PX = 8_192;
/** So much of the title bar must be on a screen, or the window cannot be grabbed. */
const GRIP = { width: 100, height: 35 };

const LAYOUT_FILE = "layout.json";

/** The layout saved last in any of the workspaces; without any it is a fresh one. */
export async function readLayout(workspaces: readonly string[], aside: SetAside): Promise<WindowLayout> {
  return (await readNewest(workspaces, LAYOUT_FILE, parseLayout, aside)) ?? FRESH_LAYOUT;
}

function parseLayout(text: string): WindowLayout | null {
  const parsed = layoutSchema.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}

/** Saves the layout, old or new as a whole. Rejects when the folder cannot be written. */
export async function writeLayout(workspace: string, layout: WindowLayout): Promise<void> {
  await writeFileAtomic(join(workspace, LAYOUT_FILE), `${JSON.stringify(layout, null, 2)}\n`);
}

function overlap(from: number, length: number, otherFrom: number, otherLength: number): number {
  return Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom);
}

/**
 * Where the window opens: its saved place where that can still be grabbed on one of the screens, else centred on the first.
 * It is never larger than the screen: a window of 100,000 px costs the page its process.
 */
export function placeWindow(
  saved: Bounds | null,
  screens: readonly Bounds[],
): Partial<Bounds> & { readonly width: number; readonly height: number } {
  const canGrab = (screen: Bounds, bounds: Bounds): boolean =>
    overlap(bounds.x, bounds.width, screen.x, screen.width) >= GRIP.width &&
    overlap(bounds.y, GRIP.height, screen.y, screen.height) >= GRIP.height;
  const own = saved === null ? undefined : screens.find((screen) => canGrab(screen, saved));
  const screen = own ?? screens[0];
  const { width, height } = saved ?? FIRST_SIZE;
  const size =
    screen === undefined
      ? { width: Math.min(width, LARGEST_PX), height: Math.min(height, LARGEST_PX) }
      : { width: Math.min(width, screen.width), height: Math.min(height, screen.height) };
  return saved === null || own === undefined ? size : { x: saved.x, y: saved.y, ...size };
}
