import type { SettingField } from "#main/contract/setting-fields.ts";

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  sec: 1_000,
  min: 60_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const SIZES: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1_000,
  mb: 1_000_000,
  gb: 1_000_000_000,
  kib: 1_024,
  mib: 1_048_576,
  gib: 1_073_741_824,
};

/** What a typed text means, or why it means nothing. */
export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** A value as it is typed: `2 min`, `32 MiB`, `1000000`; exact, in the largest unit that divides it. */
export function writeValue({ kind }: Pick<SettingField, "kind">, value: unknown): string {
  if (typeof value !== "number") return Array.isArray(value) ? value.join(", ") : String(value);
  if (kind === "duration")
    return inUnits(
      value,
      [
        ["d", 86_400_000],
        ["h", 3_600_000],
        ["min", 60_000],
        ["s", 1_000],
      ],
      "ms",
    );
  if (kind === "bytes")
    return inUnits(
      value,
      [
        ["GiB", 1_073_741_824],
        ["MiB", 1_048_576],
        ["KiB", 1_024],
      ],
      "B",
    );
  return String(value);
}

function inUnits(value: number, units: readonly (readonly [string, number])[], smallest: string): string {
  const unit = units.find(([, size]) => value >= size && value % size === 0);
  return unit === undefined ? `${value} ${smallest}` : `${value / unit[1]} ${unit[0]}`;
}

/** Reads what was typed for a setting: a number with a unit where one makes sense, within the bounds. */
export function readValue(field: SettingField, text: string): Parsed {
  if (field.kind === "text") return { ok: true, value: text.trim() };
  if (field.kind === "rules") return { ok: true, value: text.split(/[\s,]+/u).filter((id) => id !== "") };
  const found = /^\s*([\d.,_ ]*\d)\s*([a-z]*)\s*$/iu.exec(text);
  const number = Number((found?.[1] ?? "").replaceAll(/[,_ ]/gu, ""));
  const factor = factorOf(field.kind, (found?.[2] ?? "").toLowerCase());
  if (found === null || !Number.isFinite(number)) return { ok: false, message: howTo(field) };
  if (factor === null) return { ok: false, message: howTo(field) };
  return within(field, number * factor);
}

function factorOf(kind: SettingField["kind"], unit: string): number | null {
  if (unit === "") return 1;
  const units = kind === "duration" ? UNITS : kind === "bytes" ? SIZES : {};
  return units[unit] ?? null;
}

function within(field: SettingField, value: number): Parsed {
  const { min, max } = field;
  if (!Number.isSafeInteger(value))
    return {
      ok: false,
      message: `${howTo(field)} It must be a whole number of ${field.kind === "duration" ? "milliseconds" : "units"}.`,
    };
  if (min !== null && value < min) return { ok: false, message: `At least ${writeValue(field, min)}.` };
  if (max !== null && value > max) return { ok: false, message: `At most ${writeValue(field, max)}.` };
  return { ok: true, value };
}

function howTo({ kind }: SettingField): string {
  if (kind === "duration") return "Type a time, for example 120 s or 2 min.";
  return kind === "bytes" ? "Type a size, for example 32 MiB." : "Type a whole number.";
}

/** Value by dotted path. */
export function valueAt(settings: unknown, path: string): unknown {
  return path.split(".").reduce((part: unknown, key) => (isObject(part) ? part[key] : undefined), settings);
}

/** Settings with one value changed. */
export function withValue(settings: unknown, path: string, value: unknown): Record<string, unknown> {
  const [key = "", ...rest] = path.split(".");
  const base = isObject(settings) ? settings : {};
  return { ...base, [key]: rest.length === 0 ? value : withValue(base[key], rest.join("."), value) };
}

/** Only what differs from the defaults: what a person would write into the file. */
export function changedOnly(settings: unknown, fields: readonly SettingField[]): Record<string, unknown> {
  let changed: Record<string, unknown> = {};
  for (const { path, defaultValue } of fields) {
    const value = valueAt(settings, path);
    if (value !== undefined && !isSame(value, defaultValue)) changed = withValue(changed, path, value);
  }
  return changed;
}

/** Equal as JSON. */
export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
