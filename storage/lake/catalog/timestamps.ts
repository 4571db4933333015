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
  // The same second again, as in most neighbouring rows: only the fraction is to be read.
  const isKnown = text.startsWith(lastText) && lastText !== "" && FRACTION.test(text.slice(lastText.length));
  const match = isKnown ? null : TIMESTAMP.exec(text);
  if (!isKnown && match === null)
    throw new RangeError(`not a timestamp of the catalog: ${text.slice(0, 80)}`);
  if (match !== null) {
    const second = Date.parse(`${match[1]}T${match[2]}Z`) / 1_000;
    if (Number.isNaN(second)) throw new RangeError(`no such time: ${text}`);
    [lastSecond, lastText] = [second, text.slice(0, 19)];
  }
  const fraction = text.slice(20, -3);
  return lastSecond * US_PER_SECOND + (fraction === "" ? 0 : Number(fraction.padEnd(6, "0")));
}

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.\d{1,6})?\+00$/;
const FRACTION = /^(?:\.\d{1,6})?\+00$/;

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
