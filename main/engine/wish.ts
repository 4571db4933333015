import { readFileSync } from "node:fs";
import { DEFAULT_SETTINGS, type Settings, settingsSchema } from "#storage/model/settings.ts";

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
  try {
    const parsed = settingsSchema.safeParse(JSON.parse(text));
    if (parsed.success) return { settings: parsed.data, hasWish: true, problem: null };
    const issue = parsed.error.issues[0];
    return withoutWish(
      `${path}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}. The settings in force stay as they are.`,
    );
  } catch {
    return withoutWish(`${path} is not JSON. The settings in force stay as they are.`);
  }
}

function withoutWish(problem: string | null): SettingsWish {
  return { settings: DEFAULT_SETTINGS, hasWish: false, problem };
}
