import { describe, expect, test } from "vitest";
import type { ConnectionState } from "../../protocol/telemetry.ts";
import type { ConnectionEnd } from "./connection-end.ts";
import { parseRetryAfter } from "./connection-end.ts";
import {
  nextConnection,
  NEW_CONNECTION,
  type Connection,
  type ConnectionContext,
  type ConnectionEvent,
} from "./next-connection.ts";

const CONTEXT: ConnectionContext = { nowMs: 1_000_000, random: 0, backoffMinMs: 1_000, backoffMaxMs: 60_000 };

const STATES = {
  idle: { state: "idle" },
  connecting: { state: "connecting", attempt: 1 },
  open: { state: "open", sinceMs: 1, receiving: false },
  receiving: { state: "open", sinceMs: 1, receiving: true },
  "backing-off": { state: "backing-off", untilMs: 5, attempt: 2, reason: "x" },
  paused: { state: "paused" },
  ended: { state: "ended", reason: "stopped" },
  failed: { state: "failed", code: "source-configuration", reason: "x", remedy: "y" },
} as const satisfies Record<string, ConnectionState>;

const refused = (status: number, resumedBy: "nothing" | "cursor" | "since" = "nothing"): ConnectionEvent => ({
  type: "ended",
  end: { end: "refused", status, retryAfterMs: null, resumedBy, fallbackSinceMs: 77 },
});
const ended = (end: ConnectionEnd): ConnectionEvent => ({ type: "ended", end });

const EVENTS: Readonly<Record<string, ConnectionEvent>> = {
  start: { type: "start" },
  opened: { type: "opened" },
  record: { type: "record" },
  timer: { type: "timer" },
  pause: { type: "pause" },
  resume: { type: "resume" },
  finish: { type: "finish", reason: "done" },
  closed: ended({ end: "closed" }),
  cut: ended({ end: "cut", reason: "terminated" }),
  idle: ended({ end: "idle", idleMs: 60_000 }),
  endless: ended({ end: "endless-frame" }),
  timeout: ended({ end: "connect-timeout", limitMs: 10_000 }),
  unreachable: ended({ end: "unreachable", reason: "ECONNREFUSED" }),
  "not-a-stream": ended({ end: "not-a-stream", contentType: "text/html" }),
  "429": refused(429),
  "503": refused(503),
  "400": refused(400),
  "400 on resume": refused(400, "cursor"),
  "400 on since": refused(400, "since"),
  "403": refused(403),
  "404 on resume": refused(404, "cursor"),
  "204": refused(204),
  redirected: ended({ end: "redirected", to: "https://elsewhere.test/" }),
  tls: ended({ end: "tls", reason: "CERT_HAS_EXPIRED" }),
  encoding: ended({ end: "encoding", encoding: "zstd" }),
  "file-unreadable": ended({ end: "file-unreadable", reason: "gone" }),
  aborted: ended({ end: "aborted" }),
};

const RETRIED = ["closed", "cut", "idle", "endless", "timeout", "unreachable", "not-a-stream", "429", "503"];
const FINAL = [
  "400",
  "400 on since",
  "403",
  "404 on resume",
  "204",
  "redirected",
  "tls",
  "encoding",
  "file-unreadable",
];
const to = (names: readonly string[], state: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, state]));
const WHILE_CONNECTED = { ...to([...RETRIED, "400 on resume"], "backing-off"), ...to(FINAL, "failed") };
const END_OF_IT = { pause: "paused", finish: "ended" };

/** Every cell that is not named here must leave the state as it is. */
const TABLE: Readonly<Record<keyof typeof STATES, Readonly<Record<string, string>>>> = {
  idle: { start: "connecting", ...END_OF_IT },
  connecting: { opened: "open", ...END_OF_IT, ...WHILE_CONNECTED },
  open: { ...END_OF_IT, ...WHILE_CONNECTED },
  receiving: { ...END_OF_IT, ...WHILE_CONNECTED },
  "backing-off": { timer: "connecting", resume: "connecting", ...END_OF_IT },
  paused: { resume: "connecting", finish: "ended" },
  ended: {},
  failed: { resume: "connecting", ...END_OF_IT },
};

function at(name: keyof typeof STATES, failures = 0): Connection {
  return { state: STATES[name], failures, resumeBy: "cursor" };
}

describe("every state × every event", () => {
  for (const [name, row] of Object.entries(TABLE)) {
    for (const [label, event] of Object.entries(EVENTS)) {
      const target = row[label];
      test(`${name} × ${label} → ${target ?? "unchanged"}`, () => {
        const before = { ...NEW_CONNECTION, state: stateOf(name) };
        const { connection, waitMs } = nextConnection(before, event, CONTEXT);
        expect(connection.state.state).toBe(target ?? before.state.state);
        // Only the first record of a connection changes something without changing the state's name.
        const isSame = target === undefined && !(name === "open" && label === "record");
        expect(connection === before).toBe(isSame);
        expect(waitMs !== null).toBe(connection !== before && connection.state.state === "backing-off");
      });
    }
  }
});

function stateOf(name: string): ConnectionState {
  const entry = Object.entries(STATES).find(([key]) => key === name);
  if (entry === undefined) throw new Error(`no state ${name}`);
  return entry[1];
}

describe("waiting", () => {
  test("is short after a connection that delivered, however it ended", () => {
    for (const label of ["closed", "cut", "idle"]) {
      const event = EVENTS[label];
      if (event === undefined) throw new Error(label);
      const { connection, waitMs } = nextConnection(at("receiving", 5), event, CONTEXT);
      expect(waitMs).toBe(200);
      expect(connection.failures).toBe(0);
    }
  });

  test("grows over connections that open and deliver nothing, since a status 200 resets nothing", () => {
    let connection = at("connecting");
    const waits: (number | null)[] = [];
    for (let i = 0; i < 8; i += 1) {
      connection = nextConnection(connection, { type: "opened" }, CONTEXT).connection;
      const step = nextConnection(connection, ended({ end: "closed" }), CONTEXT);
      waits.push(step.waitMs);
      connection = nextConnection(step.connection, { type: "timer" }, CONTEXT).connection;
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  test("is spread over half of its length by the random number given", () => {
    const { waitMs } = nextConnection(at("connecting"), refused(503), { ...CONTEXT, random: 0.999 });
    expect(waitMs).toBe(1_000);
  });

  test("begins anew once a record was delivered", () => {
    const opened = nextConnection(at("connecting", 6), { type: "opened" }, CONTEXT).connection;
    expect(opened.failures).toBe(6);
    expect(nextConnection(opened, { type: "record" }, CONTEXT).connection.failures).toBe(0);
  });

  test("is never shorter than Retry-After, and Retry-After is not believed beyond an hour", () => {
    const wait = (retryAfterMs: number): number | null =>
      nextConnection(
        at("connecting"),
        ended({ end: "refused", status: 429, retryAfterMs, resumedBy: "nothing", fallbackSinceMs: null }),
        CONTEXT,
      ).waitMs;
    expect(wait(30_000)).toBe(30_000);
    expect(wait(90_000_000)).toBe(3_600_000);
  });
});

test("a 400 on resume goes on by `since` and leaves a note; the next refusal stops", () => {
  const step = nextConnection(at("connecting"), refused(400, "cursor"), CONTEXT);
  expect(step.note).toMatchObject({ note: "resume-refused", status: 400, sinceMs: 77 });
  expect(step.connection.resumeBy).toBe("since");
  const again = nextConnection(step.connection, { type: "timer" }, CONTEXT).connection;
  expect(nextConnection(again, refused(400, "since"), CONTEXT).connection.state.state).toBe("failed");
});

test("a delivered record makes the cursor good again", () => {
  const open: Connection = { ...at("open"), resumeBy: "since" };
  expect(nextConnection(open, { type: "record" }, CONTEXT).connection.resumeBy).toBe("cursor");
});

test("a refusal for the User-Agent says which setting to change", () => {
  const { connection } = nextConnection(at("connecting"), refused(403), CONTEXT);
  expect(connection.state).toMatchObject({
    state: "failed",
    remedy: expect.stringContaining("userAgentContact"),
  });
});

test("Retry-After is read as seconds or as a date by the server's own clock, and as nothing else", () => {
  const now = Date.parse("Mon, 30 Nov 2026 12:00:00 GMT");
  expect(parseRetryAfter("120", now)).toBe(120_000);
  expect(parseRetryAfter("Mon, 30 Nov 2026 12:01:00 GMT", now)).toBe(60_000);
  expect(parseRetryAfter("Mon, 30 Nov 2026 11:00:00 GMT", now)).toBe(0);
  for (const nonsense of [null, "", "soon", "-5", "1e9"]) expect(parseRetryAfter(nonsense, now)).toBeNull();
});
