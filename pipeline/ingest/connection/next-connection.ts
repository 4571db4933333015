import type { NoteBody } from "#storage/model/record.ts";
import type { ConnectionState } from "../../protocol/telemetry.ts";
import type { ConnectionEnd } from "./connection-end.ts";
import { describeEnd } from "./describe-end.ts";

/*
 *            start                    opened                 record
 *   idle ───────────> connecting ───────────────> open(─) ───────────> open(receiving)
 *                      │  ^   ^                     │                     │
 *          ended:retry │  │   │ timer               │ ended:retry         │ ended:retry
 *                      v  │   │                     v                     v
 *                   backing-off <───────────────────┴─────────────────────┘
 *                      │
 *   connecting / open ─┴─ ended:give up ──> failed ──resume──> connecting
 *   any but ended ── pause ──> paused ──resume──> connecting
 *   any ── finish ──> ended
 *
 * idle         nothing was asked of it yet
 * connecting   one request is on its way; at most one ever is
 * open         status 200 and the right content type; green only once a record came over this very connection
 * backing-off  waiting; a delivered record makes the wait short again, a status 200 does not
 * paused       the user wants no connection
 * ended        the source has no more, or we stop
 * failed       trying again would not help until somebody changes something: says what
 */

/** A connection and what its next step depends on. */
export type Connection = {
  readonly state: ConnectionState;
  /** Attempts since the last delivered record. */
  readonly failures: number;
  /** `since` after the source refused the cursor; a delivered record makes a new cursor. */
  readonly resumeBy: "cursor" | "since";
};

/** What happens to a connection. */
export type ConnectionEvent =
  | { readonly type: "start" }
  | { readonly type: "opened" }
  | { readonly type: "record" }
  | { readonly type: "ended"; readonly end: ConnectionEnd }
  | { readonly type: "timer" }
  | { readonly type: "pause" }
  | { readonly type: "resume" }
  | { readonly type: "finish"; readonly reason: string };

/** What the decision may look at besides state and event. `random` is in [0, 1). */
export type ConnectionContext = {
  readonly nowMs: number;
  readonly random: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
};

/** The step: the new connection, how long to wait before `timer` (null: no timer), a fact for the log (null: none). */
export type ConnectionStep = {
  readonly connection: Connection;
  readonly waitMs: number | null;
  readonly note: NoteBody | null;
};

/** A connection before its start. */
export const NEW_CONNECTION: Connection = { state: { state: "idle" }, failures: 0, resumeBy: "cursor" };

/** Wait after a connection that delivered: an expected close is answered at once, yet never in a tight loop. */
const POLITE_WAIT_MS = 200;
/** A `Retry-After` beyond this is not believed; the server is asked again after an hour. */
const RETRY_AFTER_MAX_MS = 3_600_000;

type StateName = ConnectionState["state"];

/** In which states an event means something; anywhere else it changes nothing (a late timer, a second click). */
const MEANS_SOMETHING = {
  start: ["idle"],
  opened: ["connecting"],
  record: ["open"],
  ended: ["connecting", "open"],
  timer: ["backing-off"],
  pause: ["idle", "connecting", "open", "backing-off", "failed"],
  resume: ["paused", "failed", "backing-off"],
  finish: ["idle", "connecting", "open", "backing-off", "paused", "failed"],
} as const satisfies Record<ConnectionEvent["type"], readonly StateName[]>;

/** The next connection. Pure. */
export function nextConnection(
  connection: Connection,
  event: ConnectionEvent,
  context: ConnectionContext,
): ConnectionStep {
  const states: readonly StateName[] = MEANS_SOMETHING[event.type];
  if (!states.includes(connection.state.state)) return stay(connection);
  switch (event.type) {
    case "start":
    case "timer":
    case "resume":
      return connect(connection);
    case "opened":
      return to(connection, { state: "open", sinceMs: context.nowMs, receiving: false });
    case "record":
      return delivered(connection);
    case "pause":
      return to(connection, { state: "paused" });
    case "finish":
      return to(connection, { state: "ended", reason: event.reason });
    case "ended":
      return afterEnd(connection, event.end, context);
  }
}

function delivered(connection: Connection): ConnectionStep {
  if (connection.state.state !== "open" || connection.state.receiving) return stay(connection);
  return {
    connection: { state: { ...connection.state, receiving: true }, failures: 0, resumeBy: "cursor" },
    waitMs: null,
    note: null,
  };
}

function afterEnd(connection: Connection, end: ConnectionEnd, context: ConnectionContext): ConnectionStep {
  if (end.end === "aborted") return stay(connection);
  const { reason, remedy } = describeEnd(end);
  if (end.end === "refused" && end.status === 400 && end.resumedBy === "cursor") {
    const sinceMs = Math.max(0, Math.floor(end.fallbackSinceMs ?? 0));
    const note: NoteBody = { note: "resume-refused", status: end.status, sinceMs, detail: reason };
    return { ...backOff({ ...connection, resumeBy: "since" }, reason, null, context), note };
  }
  if (remedy !== null)
    return to(connection, { state: "failed", code: "source-configuration", reason, remedy });
  return backOff(connection, reason, end.end === "refused" ? end.retryAfterMs : null, context);
}

function backOff(
  connection: Connection,
  reason: string,
  retryAfterMs: number | null,
  context: ConnectionContext,
): ConnectionStep {
  const hasDelivered = connection.state.state === "open" && connection.state.receiving;
  const failures = hasDelivered ? 0 : connection.failures + 1;
  const ownWaitMs = hasDelivered
    ? Math.min(POLITE_WAIT_MS, context.backoffMinMs)
    : jittered(failures, context);
  const waitMs = Math.max(ownWaitMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS));
  const state: ConnectionState = {
    state: "backing-off",
    untilMs: context.nowMs + waitMs,
    attempt: failures + 1,
    reason,
  };
  return { connection: { ...connection, failures, state }, waitMs, note: null };
}

/** Doubles up to the maximum; between half and all of it at random, so that many clients do not come back together. */
function jittered(failures: number, context: ConnectionContext): number {
  const full = Math.min(context.backoffMaxMs, context.backoffMinMs * 2 ** Math.min(30, failures - 1));
  return Math.ceil(full / 2 + (full / 2) * context.random);
}

function connect(connection: Connection): ConnectionStep {
  return to(connection, { state: "connecting", attempt: connection.failures + 1 });
}

function to(connection: Connection, state: ConnectionState): ConnectionStep {
  return { connection: { ...connection, state }, waitMs: null, note: null };
}

/** No timer is asked for: a wait that runs goes on. */
function stay(connection: Connection): ConnectionStep {
  return { connection, waitMs: null, note: null };
}
