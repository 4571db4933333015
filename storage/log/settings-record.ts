import type { AppendRecord } from "../model/record.ts";
import type { ResultSettings } from "../model/settings.ts";
import { resultSettingsSchema } from "../model/settings.ts";
import { AppError } from "../model/errors.ts";

/** One text per meaning: all values, keys in the schema's order, rule names sorted and without repeats. */
export function canonicalSettings(settings: ResultSettings): string {
  const disabledRules = [...new Set(settings.disabledRules)].toSorted();
  return JSON.stringify(resultSettingsSchema.parse({ ...settings, disabledRules }));
}

/** Reads settings that a log holds. Throws `data-folder-too-new` when this build does not know a value in them. */
export function parseStoredSettings(text: string): ResultSettings {
  const parsed = resultSettingsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new AppError(
    "data-folder-too-new",
    "The log holds settings that this version does not know. Open the data folder with the newer version that wrote it.",
    { cause: parsed.error },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is refused by the schema, with the same message.
    return null;
  }
}

/** The log record of kind `settings` that puts `canonical` in force. */
export function settingsRecord(canonical: string, receivedTimeMs: number): AppendRecord {
  return controlRecord("settings", canonical, receivedTimeMs);
}

/** A record of our own making: JSON, no stream, no source id. */
export function controlRecord(kind: "settings" | "note", json: string, receivedTimeMs: number): AppendRecord {
  return {
    kind,
    stream: "",
    sourceId: "",
    receivedTimeMs,
    serverOffsetMs: null,
    data: new TextEncoder().encode(json),
    detail: null,
  };
}
