/** Numbers and times as the workbench shows them (workbench.md "Rules of the screen"): separators, units, two at most. */

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** 1284906 → `1,284,906`. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** Records per second with one decimal: `47.2/s`. */
export function formatRate(perSecond: number): string {
  return `${oneDigit.format(perSecond)}/s`;
}

/** +1204 → `+1,204`, −14 → `−14` (a real minus, as wide as the plus), 0 → `0`. */
export function formatSigned(value: number): string {
  if (value === 0) return "0";
  return `${value > 0 ? "+" : "−"}${whole.format(Math.abs(value))}`;
}

const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
  ["s", 1],
] as const;

/** A duration in ms with two units at most: `0.18 s`, `47 s`, `2 m 38 s`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  const seconds = Math.abs(ms) / 1_000;
  const sign = ms < 0 ? "−" : "";
  if (seconds < 10) return `${sign}${seconds.toFixed(2)} s`;
  const total = Math.round(seconds);
  const first = UNITS.findIndex(([, size]) => total >= size);
  const [name, size] = UNITS[first] ?? UNITS[3];
  const rest = UNITS[first + 1];
  const more = rest === undefined ? 0 : Math.floor((total % size) / rest[1]);
  const head = `${sign}${Math.floor(total / size)} ${name}`;
  return rest === undefined || more === 0 ? head : `${head} ${more} ${rest[0]}`;
}

/** Bytes as B, kB, MB or GB (powers of 1,000). */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"] as const;
  const step = Math.min(3, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  return `${step === 0 ? whole.format(value) : oneDigit.format(value)} ${units[step]}`;
}

const localTime = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** Local time of day: `14:06:51`. Event times of recentchange have whole seconds, so no more digits are shown. */
export function formatTime(ms: number): string {
  return localTime.format(ms);
}

/** The exact moment in UTC: `2026-11-30 14:06:51.220 UTC`. */
export function formatUtc(ms: number): string {
  const text = new Date(ms).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 23)} UTC`;
}
