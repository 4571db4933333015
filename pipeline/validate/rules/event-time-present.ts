import { EARLIEST_EVENT_S, eventTimeOf, LATEST_EVENT_S } from "../event-time.ts";
import type { Rule } from "../rule.ts";

/** There must be an event time that the lake can hold: from 2001-01-15 to 2199. */
export const eventTimePresent = {
  id: "event-time-present",
  canBeDisabled: false,
  reasonCodes: [
    "event-time-missing",
    "event-time-unreadable",
    "event-time-not-safe",
    "event-time-too-old",
    "event-time-out-of-range",
  ],
  check: ({ event, eventTimeUs }) => {
    if (eventTimeUs !== null) return null;
    const time = eventTimeOf(event);
    if (time.known) return null;
    return {
      reasonCode: time.reasonCode,
      looked: {
        timestamp: event.timestamp,
        dt: event.meta.dt,
        earliest: EARLIEST_EVENT_S,
        latest: LATEST_EVENT_S,
      },
    };
  },
} as const satisfies Rule;
