import { z } from "zod";
import { DEFAULT_SETTINGS, type Settings, settingsSchema } from "#storage/model/settings.ts";
import { SETTING_TEXTS, type SettingField } from "../contract/setting-fields.ts";

/** Bounds of one value, as JSON Schema has them. */
const boundsSchema = z.object({ minimum: z.number().optional(), maximum: z.number().optional() });
const objectSchema = z.object({ properties: z.record(z.string(), z.unknown()) });

/** Every setting with its text, its bounds and its default, in the order of the form. */
export function settingFields(): readonly SettingField[] {
  const schema: unknown = z.toJSONSchema(settingsSchema, { io: "input" });
  return SETTING_TEXTS.map((text) => {
    const keys = text.path.split(".");
    const found = keys.reduce((part: unknown, key) => objectSchema.parse(part).properties[key] ?? {}, schema);
    const { minimum = null, maximum = null } = boundsSchema.parse(found);
    return { ...text, min: minimum, max: maximum, defaultValue: valueAt(DEFAULT_SETTINGS, text.path) };
  });
}

/** Value of a setting by its dotted path. */
export function valueAt(settings: Settings, path: string): unknown {
  return path
    .split(".")
    .reduce(
      (part: unknown, key) =>
        typeof part === "object" && part !== null
          ? Object.entries(part).find(([name]) => name === key)?.[1]
          : undefined,
      settings,
    );
}

/** Dotted paths of every value in settings; lists are values. */
export function settingPaths(value: unknown = DEFAULT_SETTINGS, prefix = ""): readonly string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [prefix];
  return Object.entries(value).flatMap(([key, part]) =>
    settingPaths(part, prefix === "" ? key : `${prefix}.${key}`),
  );
}
