/**
 * A timestamptz as DuckLake's catalog writes it: `2026-11-30 20:40:45.230758+00`, without the fraction where it is zero.
 * `us`: whole microseconds since 1970 UTC, a safe integer (years 1684 to 2255).
 */
export function formatTimestamptz(us: number): string {
  const ms = Math.floor(us / 1000);
  const iso = new Date(ms).toISOString();
  const seconds = `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
  const fraction = us - Math.floor(us / 1_000_000) * 1_000_000;
  if (fraction === 0) return `${seconds}+00`;
  return `${seconds}.${String(fraction).padStart(6, "0").replace(/0+$/, "")}+00`;
}

const TIMESTAMPTZ = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?\+00(?::00)?$/;

/** The microseconds of a {@link formatTimestamptz} text. Throws a RangeError for any other text. */
export function parseTimestamptz(text: string): number {
  const match = TIMESTAMPTZ.exec(text);
  if (match === null) throw new RangeError(`not a UTC timestamp of the catalog: ${text.slice(0, 80)}`);
  const [, year, month, day, hour, minute, second, fraction = ""] = match;
  const ms = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  return ms * 1000 + Number(fraction.padEnd(6, "0"));
}
