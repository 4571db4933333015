import { expect, test, vi } from "vitest";
import { systemClock } from "#storage/model/clock.ts";
import type { FromWorker, ToWorker } from "#pipeline/protocol/worker-messages.ts";
import type { ProcessExit, ProcessHost } from "./process-host.ts";
import { RESTART_BUDGET } from "./restart-policy.ts";
import { SupervisedWorker } from "./supervised-worker.ts";

type Fake = { sent: ToWorker[]; say: (message: FromWorker) => void; exit: (exit: ProcessExit) => void };

/** A host whose processes are scripted; the supervisor's own code is the one under test. */
function scriptedHost(): { host: ProcessHost; started: Fake[] } {
  const started: Fake[] = [];
  const host: ProcessHost = {
    start: () => {
      const fake: Fake = { sent: [], say: () => undefined, exit: () => undefined };
      started.push(fake);
      return {
        pid: () => null,
        send: (message) => void fake.sent.push(message),
        onMessage: (listener) => (fake.say = listener),
        onOutput: () => undefined,
        onExit: (listener) => (fake.exit = listener),
      };
    },
  };
  return { host, started };
}

function supervise(host: ProcessHost): { worker: SupervisedWorker; log: string[] } {
  const log: string[] = [];
  const worker = new SupervisedWorker({
    name: "query",
    host,
    clock: systemClock,
    startMessage: () => ({ type: "start", worker: "query", dataFolder: "/nowhere" }),
    events: {
      onMessage: () => undefined,
      onStatus: () => undefined,
      onLog: (_level, line) => log.push(line),
    },
  });
  return { worker, log };
}

const CRASH: ProcessExit = { code: 1, signal: null };

test("starts a new process only after the exit of the old one was seen", () => {
  const { host, started } = scriptedHost();
  const { worker } = supervise(host);
  worker.start();
  worker.start();
  expect(started).toHaveLength(1);
  started[0]?.exit({ code: null, signal: "SIGKILL" });
  expect(started).toHaveLength(2);
  expect(worker.status()).toMatchObject({ restarts: 1, lastExit: { how: "SIGKILL" } });
});

test("gives up after the budget of restarts without progress, naming the log as the remedy", () => {
  vi.useFakeTimers();
  const { host, started } = scriptedHost();
  const { worker } = supervise(host);
  worker.start();
  for (let index = 0; index <= RESTART_BUDGET; index += 1) {
    started.at(-1)?.exit(CRASH);
    vi.advanceTimersByTime(20_000);
  }
  expect(worker.status().phase).toMatchObject({ state: "gave-up", error: { code: "worker-gave-up" } });
  expect(started).toHaveLength(RESTART_BUDGET + 1);
  vi.useRealTimers();
});

test("says whether there was a process to send to: none while it is away", () => {
  vi.useFakeTimers();
  const { host, started } = scriptedHost();
  const { worker } = supervise(host);
  expect(worker.send({ type: "pause" })).toBe(false);
  worker.start();
  expect(worker.send({ type: "pause" })).toBe(true);
  // The second exit without progress makes it wait before the next start.
  for (let exits = 0; exits < 2; exits += 1) started.at(-1)?.exit(CRASH);
  expect(worker.status().phase.state).toBe("backing-off");
  expect(worker.send({ type: "pause" })).toBe(false);
  vi.useRealTimers();
});

test("progress gives the whole budget back", () => {
  vi.useFakeTimers();
  const { host, started } = scriptedHost();
  const { worker } = supervise(host);
  worker.start();
  for (let index = 0; index < RESTART_BUDGET * 3; index += 1) {
    worker.noteProgress(index);
    started.at(-1)?.exit(CRASH);
    vi.advanceTimersByTime(20_000);
  }
  expect(worker.status().phase.state).not.toBe("gave-up");
  vi.useRealTimers();
});

test("does not restart after an error that only the user can mend", () => {
  const { host, started } = scriptedHost();
  const { worker } = supervise(host);
  worker.start();
  const error = {
    code: "source-file-unreadable",
    kind: "user",
    message: "no such file",
    details: {},
  } as const;
  started[0]?.say({ type: "failed", error });
  started[0]?.exit({ code: 70, signal: null });
  expect(worker.status().phase).toEqual({ state: "gave-up", error });
  worker.retry();
  expect(started).toHaveLength(2);
});

test("acknowledges telemetry, so that the worker may send the next frame", () => {
  const { host, started } = scriptedHost();
  const { worker } = supervise(host);
  worker.start();
  started[0]?.say({ type: "telemetry", telemetry: { worker: "query", running: 0, rssBytes: 0, atMs: 0 } });
  expect(started[0]?.sent.at(-1)).toEqual({ type: "telemetry-ack" });
});

test("a clean stop waits for the exit and starts nothing afterwards", async () => {
  const { host, started } = scriptedHost();
  const { worker } = supervise(host);
  worker.start();
  const stopped = worker.stop();
  expect(started[0]?.sent.at(-1)).toEqual({ type: "stop" });
  started[0]?.exit({ code: 0, signal: null });
  await stopped;
  expect(worker.status().phase.state).toBe("stopped");
  expect(started).toHaveLength(1);
});
