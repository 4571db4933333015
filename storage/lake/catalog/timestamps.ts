const US_PER_SECOND = 1_000_000;

/**
 * DuckLake's text of a timestamptz: `2026-11-30 20:40:45.230758+00`, the fraction without trailing zeros and left out
 * when it is zero (the extension reads and writes this form).
 * `micros`: whole microseconds since 1970 UTC. As a safe integer it lies within the years 1684 to 2255.
 */
export function formatTimestamp(micros: number): string {
  const seconds = Math.floor(micros / US_PER_SECOND);
  const fraction = micros - seconds * US_PER_SECOND;
  const text = formatSecond(seconds);
  if (fraction === 0) return `${text}+00`;
  return `${text}.${String(fraction).padStart(6, "0").replace(/0+$/, "")}+00`;
}

/** Reads {@link formatTimestamp}'s form back, exactly. Throws a RangeError on any other text. */
export function parseTimestamp(text: string): number {
  const match = TIMESTAMP.exec(text);
  const day = match?.[1];
  const time = match?.[2];
  if (day === undefined || time === undefined)
    throw new RangeError(`not a timestamp of the catalog: ${text}`);
  const fraction = Number((match?.[3] ?? "").padEnd(6, "0"));
  return Date.parse(`${day}T${time}Z`) * 1_000 + fraction;
}

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?\+00$/;

/** Rows of one batch share few seconds, and Date's formatting is most of the cost. */
let lastSecond = Number.NaN;
let lastText = "";

function formatSecond(seconds: number): string {
  if (seconds !== lastSecond) {
    lastSecond = seconds;
    lastText = new Date(seconds * 1_000).toISOString().slice(0, 19).replace("T", " ");
  }
  return lastText;
}
