import type { RecentChange } from "./recent-change.ts";

/** 2001-01-15, the day Wikipedia began: no recent change can be older. Unix seconds. */
export const EARLIEST_EVENT_S = 979_516_800;

/** 2200-01-01: later times would leave the safe integers once microseconds, lateness and horizon are added. Unix seconds. */
export const LATEST_EVENT_S = 7_258_118_400;

/** An event time in microseconds, or why there is none. */
export type EventTime =
  | { readonly known: true; readonly eventTimeUs: number }
  | {
      readonly known: false;
      readonly reasonCode:
        | "event-time-missing"
        | "event-time-unreadable"
        | "event-time-not-safe"
        | "event-time-too-old"
        | "event-time-out-of-range";
    };

/**
 * Event time of a recentchange event: `timestamp` (Unix seconds), else `meta.dt`. Where `timestamp` is there, an odd
 * `meta.dt` is not looked at: it is the arrival time at the event gate, not the time of the change.
 */
export function eventTimeOf(event: RecentChange): EventTime {
  const { timestamp } = event;
  if (typeof timestamp === "number") {
    return Number.isSafeInteger(timestamp) ? bounded(timestamp * 1_000_000) : no("event-time-not-safe");
  }
  const { dt } = event.meta;
  if (dt === undefined || dt === null) return no("event-time-missing");
  const us = parseIsoMicros(dt);
  return us === null ? no("event-time-unreadable") : bounded(us);
}

function bounded(us: number): EventTime {
  if (us < EARLIEST_EVENT_S * 1_000_000) return no("event-time-too-old");
  if (us >= LATEST_EVENT_S * 1_000_000) return no("event-time-out-of-range");
  return { known: true, eventTimeUs: us };
}

function no(reasonCode: Extract<EventTime, { known: false }>["reasonCode"]): EventTime {
  return { known: false, reasonCode };
}

/** `meta.dt` in microseconds where it can be read and lies inside the bounds of event time, else null. */
export function metaDtUs(event: RecentChange): number | null {
  const { dt } = event.meta;
  if (typeof dt !== "string") return null;
  const us = parseIsoMicros(dt);
  return us !== null && bounded(us).known ? us : null;
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** Events come in the order of their minutes: the last one that was read, and its start. */
let lastMinute = "";
let lastMinuteUs = Number.NaN;

/** An ISO 8601 instant with its zone as microseconds since 1970 UTC (finer digits are cut off), or null. */
export function parseIsoMicros(text: string): number | null {
  if (lastMinute !== "" && text.startsWith(lastMinute)) {
    const us = microsInMinute(text);
    if (us !== null) return lastMinuteUs + us;
  }
  return readWhole(text);
}

function readWhole(text: string): number | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = "", zone = "Z"] = match;
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const [h, min, sec] = [Number(hour), Number(minute), Number(second)];
  // Date.UTC rolls 31 February and 24:00 over; here they are no times.
  if (m < 1 || m > 12 || d < 1 || d > daysIn(y, m) || h > 23 || min > 59 || sec > 59) return null;
  const us = Number(fraction.padEnd(6, "0").slice(0, 6));
  const minuteUs = Date.UTC(y, m - 1, d, h, min) * 1_000;
  if (zone === "Z") [lastMinute, lastMinuteUs] = [text.slice(0, MINUTE_CHARACTERS), minuteUs];
  return minuteUs + sec * 1_000_000 + us - zoneOffsetUs(zone);
}

const MINUTE_CHARACTERS = "2026-11-30T12:00".length;

/** What follows the minute, as `:05Z` or `:05.123Z`, in microseconds; null for any other form. */
function microsInMinute(text: string): number | null {
  const tens = digitAt(text, 17);
  const ones = digitAt(text, 18);
  if (text[16] !== ":" || tens < 0 || tens > 5 || ones < 0) return null;
  let us = (tens * 10 + ones) * 1_000_000;
  let at = 19;
  if (text[at] === ".") {
    let unit = 100_000;
    for (at += 1; digitAt(text, at) >= 0; at += 1) {
      us += digitAt(text, at) * Math.floor(unit);
      unit /= 10;
    }
    if (at === 20 || at > 29) return null;
  }
  return text[at] === "Z" && at + 1 === text.length ? us : null;
}

/** The digit at a place of a text, or a negative number. */
function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - 48;
  return digit <= 9 ? digit : -1;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function zoneOffsetUs(zone: string): number {
  if (zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return (zone.startsWith("-") ? -minutes : minutes) * 60_000_000;
}
