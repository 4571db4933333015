import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "#storage/model/settings.ts";
import { EngineRun } from "../support/engine-run.ts";
import { until } from "../support/poll.ts";
import { testScope } from "../support/scope.ts";

/** The promise on the reference machine; on a shared one with two cores the test fails at three times as much. */
const PROMISE_MS = 2_000;
const LIMIT_MS = 3 * PROMISE_MS;
/** As long as a person waits before cancelling, and then some. */
const HEAVY_MS = 15_000;
/** Wikimedia's recentchange has 33 to 40 events a second. */
const RATE = 50;

const HEAVY: readonly (readonly [what: string, text: string])[] = [
  [
    "a cross join of everything",
    "SELECT count(*) FROM silver.changes a, silver.changes b, silver.changes c, silver.changes d WHERE a.title || b.title < c.title || d.title",
  ],
  [
    "a sort that spills to the same disk",
    "SELECT md5(i::VARCHAR) AS m FROM range(200000000) t(i) ORDER BY m",
  ],
];

test("freshness stays under 2 s while a cross join of everything, and a sort that spills, run for 15 s each", async () => {
  const { result, ingest, lake } = DEFAULT_SETTINGS;
  const run = await EngineRun.start({
    scope: testScope(),
    withQuery: true,
    feed: { rate: RATE, eventRate: null, events: null, startMs: null },
    wish: { result: { ...result }, ingest: { ...ingest }, lake: { ...lake } },
  });
  await run.untilRunning("query");
  await run.untilStatus("some rows", ({ pipeline }) => (pipeline?.ledger["silver"] ?? 0) > 10 * RATE);
  for (const [what, text] of HEAVY) {
    const cancel = new AbortController();
    let code = "";
    const told = run.engine.query({ ask: "sql", text, asOf: null, limit: 1_000 }, cancel.signal).then(
      (answer) => (code = JSON.stringify(answer).slice(0, 200)),
      (error: unknown) => (code = String(error instanceof Error && "code" in error ? error.code : error)),
    );
    const from = performance.now();
    let [freshestMs, ageMs, commits, snapshotId] = [0, 0, 0, 0];
    const { pipeline: before } = run.engine.status();
    await until(
      `${what} has run for ${HEAVY_MS} ms`,
      () => {
        const { pipeline } = run.engine.status();
        if (pipeline !== null && pipeline.commitTimeMs !== null) {
          freshestMs = Math.max(freshestMs, pipeline.freshnessMs ?? 0);
          // A pipeline that stands still commits nothing late; how old the lake is says so.
          ageMs = Math.max(ageMs, Date.now() - pipeline.commitTimeMs);
          if (pipeline.snapshotId !== snapshotId) commits += 1;
          snapshotId = pipeline.snapshotId;
        }
        return code !== "" || performance.now() - from > HEAVY_MS;
      },
      { limitMs: HEAVY_MS * 4 },
    );
    cancel.abort();
    await told;
    expect(code, what).toBe("statement-cancelled");
    const records = (run.engine.status().pipeline?.checkpoint ?? 0) - (before?.checkpoint ?? 0);
    process.stdout.write(
      `${what}: freshness at most ${freshestMs} ms, lake at most ${ageMs} ms old as told every 250 ms, ${records} records in ${commits} told commits\n`,
    );
    expect(freshestMs, what).toBeLessThan(LIMIT_MS);
    expect(ageMs, what).toBeLessThan(LIMIT_MS);
    expect(records, what).toBeGreaterThan((RATE * HEAVY_MS) / 1_000 / 3);
  }
  // Not `run.stop()`: on a busy machine a statement may not give way within 200 ms, and its worker is replaced as it should.
  await run.engine.stop();
});
