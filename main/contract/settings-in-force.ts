import type { SettingsTelemetry } from "#pipeline/protocol/telemetry.ts";

/** One setting that decides results, in words: name, value with its unit. */
export type SettingLine = { readonly name: string; readonly value: string };

/** Settings as a person reads them; the order is that of the journey. */
export function settingLines({ inForce: settings, rulesStillOn }: SettingsTelemetry): readonly SettingLine[] {
  const { windows } = settings;
  const rulesOff = settings.disabledRules.filter((id) => !rulesStillOn.includes(id));
  return [
    { name: "allowed lateness", value: duration(settings.allowedLatenessMs) },
    { name: "dedup horizon", value: duration(settings.dedupHorizonMs) },
    { name: "ids held at most", value: settings.dedupMaxIds.toLocaleString("en-US") },
    { name: "future tolerance", value: duration(settings.futureToleranceMs) },
    { name: "rules off", value: rulesOff.length === 0 ? "none" : rulesOff.join(", ") },
    { name: "window of edits", value: duration(windows.editsPerMinuteMs) },
    { name: "window of pages", value: duration(windows.topPagesMs) },
    { name: "window of users", value: duration(windows.userBytesMs) },
    { name: "window of lateness", value: duration(windows.latenessHistogramMs) },
    { name: "rule set", value: `version ${settings.ruleSetVersion}` },
  ];
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** Exact, in the largest unit that divides it: a setting is never rounded. */
function duration(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size && ms % size === 0);
  return unit === undefined ? `${ms} ms` : `${ms / unit[1]} ${unit[0]}`;
}
