import { afterAll, beforeAll, expect, test } from "vitest";
import { type Dump, dumpLake } from "../support/dump-lake.ts";
import { EngineRun } from "../support/engine-run.ts";
import { judgeRun } from "../support/judge-run.ts";
import { Scope, testScope } from "../support/scope.ts";
import { IS_FULL, SEED } from "../support/seed.ts";

const CUTS = IS_FULL ? 200 : 40;
/** A connection is cut after 20 to 400 new events; a few events more than the mean, and the count is asserted. */
const EVENTS = CUTS * 240;
const FEED = { events: EVENTS, rate: 0, eventRate: 40, seed: SEED };

const shared = new Scope();
let reference: Dump;

beforeAll(async () => {
  const run = await EngineRun.start({ scope: shared, feed: FEED });
  await run.drained(EVENTS);
  await run.stop();
  await judgeRun(shared, run, { reference: null, servings: "exact", replays: false });
  reference = await dumpLake(run.folder);
});

afterAll(() => shared.close());

test(`${CUTS} connections cut inside a frame lose nothing, and each overlap is counted (seed ${SEED})`, async () => {
  const scope = testScope();
  const run = await EngineRun.start({ scope, feed: { ...FEED, faults: ["cut"] } });
  const status = await run.drained(EVENTS, 240_000);
  await run.stop();
  const { servings, distinct } = await judgeRun(scope, run, { reference, servings: "exact", replays: true });
  expect(status.ingest?.connections).toBeGreaterThanOrEqual(CUTS);
  expect(status.ingest?.cutFrames).toBeGreaterThanOrEqual(CUTS - 1);
  // Overlap must have happened, or the cuts proved nothing.
  expect(servings).toBeGreaterThan(distinct * 1.05);
});

test(`cuts and refusals in turn lose nothing (seed ${SEED})`, async () => {
  const scope = testScope();
  const events = 2_400;
  const feed = { ...FEED, events, rate: 600 };
  const calm = await EngineRun.start({ scope, feed });
  await calm.drained(events);
  await calm.stop();
  const run = await EngineRun.start({ scope, feed: { ...feed, faults: ["cut", "503", "chunks"] } });
  await run.drained(events, 120_000);
  await run.stop();
  await judgeRun(scope, run, { reference: await dumpLake(calm.folder), servings: "exact", replays: true });
});

test(`events that the source serves only when asked again are repaired, also when ingest is killed before it asked (seed ${SEED})`, async () => {
  const scope = testScope();
  const events = 1_600;
  const faults = ["hole-until-asked"];
  const feed = { ...FEED, events, rate: 200, faults, connectionMaxMs: 6_000 };
  const run = await EngineRun.start({ scope, feed });
  await run.untilStatus("the hole was passed", ({ ingest }) => (ingest?.head ?? 0) > 900);
  run.kill("ingest");
  await run.drained(events, 120_000);
  const closed = await run.untilStatus("no hole is left", ({ pipeline }) =>
    (pipeline?.gaps ?? []).every(
      ({ state, count }) => count === 0 || state === "repaired" || state === "explained",
    ),
  );
  expect(closed.pipeline?.gaps.some(({ state, count }) => state === "repaired" && count > 0)).toBe(true);
  // Each new connection brings overlap: without one the pipeline can come to the end of the log.
  run.engine.pause();
  await run.settled(events);
  await run.stop();
  await judgeRun(scope, run, { reference: null, servings: "at most", replays: true });
});
