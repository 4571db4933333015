import type { Settings } from "#storage/model/settings.ts";
import type { SettingField } from "./setting-fields.ts";

/** The user's wish and everything a form needs to show and check it. What is in force stands in the status. */
export type SettingsView = {
  readonly path: string;
  /** The file's text; null where there is none. */
  readonly text: string | null;
  /** Why the file cannot be used; then `settings` are the defaults and what was in force stays. */
  readonly problem: string | null;
  /** Grows with every change of the file. */
  readonly changes: number;
  readonly settings: Settings;
  readonly fields: readonly SettingField[];
};
