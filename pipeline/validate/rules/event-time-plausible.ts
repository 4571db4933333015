import type { LogRecord } from "#storage/model/record.ts";
import type { Rule } from "../rule.ts";

/**
 * True where an event time is *in the future* at its record: more than `toleranceMs` after received time and, where
 * there is a server offset, also more than that after the server's clock at received time. Nothing else decides it.
 */
export function isInFuture(eventTimeUs: number, record: LogRecord, toleranceMs: number): boolean {
  const afterReceivedUs = eventTimeUs - record.receivedTimeMs * 1_000;
  if (afterReceivedUs <= toleranceMs * 1_000) return false;
  if (record.serverOffsetMs === null) return true;
  return afterReceivedUs - record.serverOffsetMs * 1_000 > toleranceMs * 1_000;
}

/** A clock that runs ahead must not push the watermark, or every honest record after it would be late. */
export const eventTimePlausible = {
  id: "event-time-plausible",
  canBeDisabled: true,
  reasonCodes: ["event-time-in-future"],
  check: ({ record, settings, eventTimeUs }) => {
    if (eventTimeUs === null || !isInFuture(eventTimeUs, record, settings.futureToleranceMs)) return null;
    return {
      reasonCode: "event-time-in-future",
      looked: {
        eventTimeUs,
        receivedTimeMs: record.receivedTimeMs,
        serverOffsetMs: record.serverOffsetMs,
        toleranceMs: settings.futureToleranceMs,
      },
    };
  },
} as const satisfies Rule;
