import { AppError } from "#storage/model/errors.ts";

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Timers hold 31 bits of milliseconds, 24.8 days; a longer one would fire at once. */
const MAX_DURATION_MS = 2_147_483_647;

/** Reads a duration (`500ms`, `60s`, `5m`, `2h`, plain seconds) in ms, 596 h at most. Throws `usage`. */
export function parseDurationMs(flag: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text);
  const unit = UNIT_MS[match?.[2] ?? "s"];
  if (match === null || unit === undefined)
    throw usage(`--${flag} is a duration such as 500ms, 60s, 5m or 2h; not: ${text}`);
  const ms = Math.round(Number(match[1]) * unit);
  if (ms > MAX_DURATION_MS) throw usage(`--${flag} is at most 596h; not: ${text}`);
  return ms;
}

/** Reads a whole number between two bounds. Throws `usage` naming both. */
export function parseWhole(flag: string, text: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw usage(`--${flag} is a whole number from ${min} to ${max}; not: ${text}`);
}

/** Reads a rate: events per second, or `max` (0). Throws `usage`. */
export function parseRate(flag: string, text: string): number {
  if (text === "max") return 0;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw usage(`--${flag} is a number of events per second or max; not: ${text}`);
}

/** Reads a moment: ms since 1970 or anything ISO 8601. Throws `usage`. */
export function parseTimeMs(flag: string, text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw usage(`--${flag} is a time such as 2026-11-30T12:00:00Z or milliseconds since 1970; not: ${text}`);
}

/** The value of a text flag, or null when it was not given. Throws `usage` for an empty one. */
export function textFlag(
  flags: Readonly<Record<string, string | boolean | undefined>>,
  name: string,
): string | null {
  const value = flags[name];
  if (typeof value !== "string") return null;
  // An empty value is an unset variable in somebody's script, never a wish: --data "" would be the current folder.
  if (value === "") throw usage(`--${name} needs a value`);
  return value;
}

/** An error of kind user that says how the command is used. */
export function usage(message: string): AppError {
  return new AppError("usage", message);
}
