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

/** An ISO 8601 instant with its zone as microseconds since 1970 UTC (finer digits are cut off), or null. */
export function parseIsoMicros(text: string): number | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = "", zone = "Z"] = match;
  const ms = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  const date = new Date(ms);
  // Date.UTC rolls 31 February over; only a date that reads back the same is one. Hours and seconds likewise.
  const isReal =
    date.getUTCDate() === Number(day) &&
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCHours() === Number(hour) &&
    date.getUTCMinutes() === Number(minute);
  if (!isReal) return null;
  return ms * 1_000 + Number(fraction.padEnd(6, "0").slice(0, 6)) - zoneOffsetUs(zone);
}

function zoneOffsetUs(zone: string): number {
  if (zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return (zone.startsWith("-") ? -minutes : minutes) * 60_000_000;
}
