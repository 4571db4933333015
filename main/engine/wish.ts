import { readFileSync } from "node:fs";
import type { z } from "zod";
import { DEFAULT_SETTINGS, type Settings, settingsSchema } from "#storage/model/settings.ts";

/** Invalid settings named at once; a file full of them must not fill the screen. */
const MAX_NAMED = 5;

/** The user's wish as found in `workspace/settings.json`. */
export type SettingsWish = {
  readonly settings: Settings;
  /** False when there is no file, or none that can be used: then the log's settings stay in force. */
  readonly hasWish: boolean;
  /** Why the file could not be used, with what to do; null when it could or when there is none. */
  readonly problem: string | null;
};

/** Reads the wish. Never throws for a bad file: the old settings stay in force and the problem is told. */
export function readWish(path: string): SettingsWish {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return withoutWish(isMissing ? null : `${path} cannot be read (${String(error)}).`);
  }
  return wishOf(text, path);
}

/** The wish that a text is; `path` names it in a problem. Never throws. */
export function wishOf(text: string, path: string): SettingsWish {
  try {
    const parsed = settingsSchema.safeParse(JSON.parse(text));
    if (parsed.success) return { settings: parsed.data, hasWish: true, problem: null };
    return withoutWish(`${path}: ${describeIssues(parsed.error.issues)}.`);
  } catch (error) {
    const place = error instanceof Error ? /line \d+ column \d+/u.exec(error.message)?.[0] : undefined;
    return withoutWish(`${path} is not JSON${place === undefined ? "" : ` (${place})`}.`);
  }
}

function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const named = issues.slice(0, MAX_NAMED).map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  const more = issues.length > MAX_NAMED ? ` (and ${issues.length - MAX_NAMED} more)` : "";
  return `${named.join("; ")}${more}`;
}

function withoutWish(problem: string | null): SettingsWish {
  return { settings: DEFAULT_SETTINGS, hasWish: false, problem };
}
