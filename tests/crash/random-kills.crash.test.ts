import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Dump, dumpLake } from "../support/dump-lake.ts";
import { EngineRun } from "../support/engine-run.ts";
import type { Wish } from "../support/fast-settings.ts";
import { judgeRun } from "../support/judge-run.ts";
import { expectKeptReadAlike } from "../support/read-kept.ts";
import { Scope, testScope } from "../support/scope.ts";
import { IS_FULL, randomFrom, SEED } from "../support/seed.ts";
import { SnapshotRecord } from "../support/snapshot-record.ts";

const KILLS = IS_FULL ? 100 : 20;
const KILLS_A_RUN = 10;
const EVENTS = 1_500;
/** Shorter than a worker's start, so that starts are hit too, and long enough to meet seals and sweeps. */
const LONGEST_PAUSE_MS = 900;
/** Snapshots of each run, besides the newest and the seal points, that the ducklake extension reads too. */
const READ_BY_EXTENSION = 20;
const FEED = { events: EVENTS, rate: 200, eventRate: 25, seed: SEED };

const shared = new Scope();
let reference: Dump;

beforeAll(async () => {
  const run = await EngineRun.start({ scope: shared, feed: { ...FEED, rate: 0 } });
  await run.drained(EVENTS);
  await run.stop();
  await judgeRun(shared, run, { reference: null, servings: "exact", replays: false });
  reference = await dumpLake(run.folder);
});

afterAll(() => shared.close());

/** Every other run also lets retention remove the sealed part of the log; its log can then not be replayed whole. */
function wishOf(run: number): Wish {
  const lake = { keepAllMs: 3_000 };
  return run % 2 === 0 ? { lake } : { lake, ingest: { logKeepMs: 0, logKeepBytes: 0 } };
}

describe(`workers killed at random moments (seed ${SEED})`, () => {
  test.each(Array.from({ length: KILLS / KILLS_A_RUN }, (_, index) => index))(
    `run %i: ${KILLS_A_RUN} kills leave the tables, and every kept snapshot, as undisturbed`,
    async (index) => {
      const scope = testScope();
      const random = randomFrom(SEED + index);
      const wish = wishOf(index);
      const run = await EngineRun.start({ scope, feed: FEED, wish });
      const record = new SnapshotRecord(run.folder);
      scope.onEnd(() => record.stop());
      await run.untilRunning("pipeline");
      record.start();
      for (let hits = 0; hits < KILLS_A_RUN;) {
        await delay(random() * LONGEST_PAUSE_MS);
        if (run.kill(random() < 0.6 ? "pipeline" : "ingest")) hits += 1;
      }
      await run.drained(EVENTS);
      await run.stop();
      const { recorded, kept } = await record.checkKept();
      expect(recorded).toBeGreaterThan(20);
      expect(kept).toBeGreaterThan(5);
      expect(record.readAgain).toBeGreaterThan(10);
      expect(await expectKeptReadAlike(run.folder, READ_BY_EXTENSION)).toBeGreaterThan(5);
      await judgeRun(scope, run, { reference, servings: "at most", replays: index % 2 === 0, wish });
    },
  );
});
