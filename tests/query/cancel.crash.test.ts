import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { EngineRun } from "../support/engine-run.ts";
import { until } from "../support/poll.ts";
import { cpuMs } from "../support/process-cpu.ts";
import { testScope, type Scope } from "../support/scope.ts";
import { HEAVY_STATEMENTS, UNINTERRUPTIBLE_STATEMENTS } from "./heavy-statements.ts";

/** The promise on the reference machine; on a shared one with two cores the test fails at three times as much. */
const PROMISE_MS = 300;
const LIMIT_MS = 3 * PROMISE_MS;
/** CPU time after which a statement surely is at its work. */
const AT_WORK_MS = 400;
/** Idle: in this time the process uses less than a tenth of a core (heartbeat and telemetry go on). */
const IDLE_WINDOW_MS = 300;
const IDLE_CPU_MS = 30;

type Outcome = {
  readonly idleMs: number;
  readonly toldMs: number;
  readonly nextMs: number;
  readonly code: string;
};

async function startLake(scope: Scope): Promise<EngineRun> {
  const run = await EngineRun.start({ scope, withQuery: true, feed: { events: 2_000, rate: 2_000 } });
  await run.untilRunning("query");
  await run.drained(2_000);
  return run;
}

/** Lets a statement work, cancels it, and watches the process that ran it until that is idle. */
async function cancelled(run: EngineRun, text: string): Promise<Outcome> {
  const pid = await run.untilRunning("query");
  const before = cpuMs(pid) ?? 0;
  const cancel = new AbortController();
  const request = { ask: "sql", text, asOf: null, limit: 1_000, cellChars: 1_000 } as const;
  let [toldMs, nextMs, code] = [Number.NaN, Number.NaN, ""];
  const told = run.engine.query(request, cancel.signal).then(
    (answer) => (code = JSON.stringify(answer).slice(0, 200)),
    (error: unknown) => (code = String(error instanceof Error && "code" in error ? error.code : error)),
  );
  await until(`${text} is at work`, () => code !== "" || (cpuMs(pid) ?? 0) - before > AT_WORK_MS, {
    limitMs: 120_000,
  });
  const cancelledAt = performance.now();
  cancel.abort();
  void told.then(() => (toldMs = performance.now() - cancelledAt));
  const next = run.engine.query({ ...request, text: "SELECT 1" }).then((answer) => {
    nextMs = performance.now() - cancelledAt;
    return answer;
  });
  const used: { readonly atMs: number; readonly cpu: number }[] = [];
  await until(
    `${text} is idle`,
    () => {
      const now = { atMs: performance.now() - cancelledAt, cpu: cpuMs(pid) };
      if (now.cpu === null) return true;
      used.push({ atMs: now.atMs, cpu: now.cpu });
      const then = used.findLast(({ atMs }) => atMs <= now.atMs - IDLE_WINDOW_MS);
      return then !== undefined && now.cpu - then.cpu <= IDLE_CPU_MS;
    },
    { limitMs: 30_000 },
  );
  const idleMs = idleSince(used, cpuMs(pid) !== null);
  await told;
  expect(await next).toMatchObject({ page: { rows: [[1]] } });
  // What was told may come in the same turn as the next answer.
  await delay(0);
  return { idleMs, toldMs, nextMs, code };
}

/** When the process had used all but the idle share of its time; the last look where it is gone. */
function idleSince(used: readonly { atMs: number; cpu: number }[], isAlive: boolean): number {
  const last = used.at(-1) ?? { atMs: 0, cpu: 0 };
  if (!isAlive) return last.atMs;
  return used.find(({ cpu }) => last.cpu - cpu <= IDLE_CPU_MS)?.atMs ?? last.atMs;
}

function print(title: string, outcomes: readonly (readonly [string, Outcome])[]): void {
  const lines = outcomes.map(
    ([kind, { idleMs, toldMs, nextMs }]) =>
      `  ${kind.padEnd(30)} idle after ${idleMs.toFixed(0).padStart(4)} ms · told after ${toldMs.toFixed(0).padStart(4)} ms · SELECT 1 after ${nextMs.toFixed(0).padStart(5)} ms`,
  );
  const within = outcomes.filter(([, { idleMs }]) => idleMs <= PROMISE_MS).length;
  process.stdout.write(
    `${title}: ${within} of ${outcomes.length} within ${PROMISE_MS} ms\n${lines.join("\n")}\n`,
  );
}

test("20 of 20 heavy statements leave the query worker idle within 300 ms of a cancel, and the next statement answers", async () => {
  const run = await startLake(testScope());
  const pid = await run.untilRunning("query");
  const outcomes: (readonly [string, Outcome])[] = [];
  for (const [kind, text] of HEAVY_STATEMENTS) outcomes.push([kind, await cancelled(run, text)]);
  print("cancel of heavy statements", outcomes);
  expect(outcomes).toHaveLength(20);
  for (const [kind, { idleMs, code }] of outcomes) {
    expect(code, kind).toBe("statement-cancelled");
    expect(idleMs, kind).toBeLessThan(LIMIT_MS);
  }
  // Not `run.stop()`: on a busy machine a statement may not give way within 200 ms, and its worker is replaced as it should.
  await run.engine.stop();
  expect(pid).toBeGreaterThan(0);
});

test("a statement that DuckDB cannot interrupt costs its worker the process, not the user: the next one answers, and nothing else stops", async () => {
  const run = await startLake(testScope());
  const starts = run.host.startsOf("query");
  const outcomes: (readonly [string, Outcome])[] = [];
  for (const [kind, text] of UNINTERRUPTIBLE_STATEMENTS) outcomes.push([kind, await cancelled(run, text)]);
  print("cancel of what cannot be interrupted", outcomes);
  for (const [kind, { idleMs, code }] of outcomes) {
    expect(code, kind).toBe("statement-cancelled");
    expect(idleMs, kind).toBeLessThan(LIMIT_MS);
  }
  expect(run.host.startsOf("query")).toBe(starts + UNINTERRUPTIBLE_STATEMENTS.length);
  expect(run.host.startsOf("pipeline")).toBe(1);
  await run.engine.stop();
});
