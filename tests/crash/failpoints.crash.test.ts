import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAILPOINT_NAMES, type FailpointName } from "#storage/model/failpoints.ts";
import { expectSameLog } from "../support/compare-tables.ts";
import { type Dump, dumpLake } from "../support/dump-lake.ts";
import { EngineRun } from "../support/engine-run.ts";
import { reported } from "../support/failpoint-report.ts";
import type { Wish } from "../support/fast-settings.ts";
import { judgeRun } from "../support/judge-run.ts";
import { appendAmendingRecords } from "../support/amending-records.ts";
import { copyLog, PipelineAlone } from "../support/pipeline-alone.ts";
import { expectKeptReadAlike } from "../support/read-kept.ts";
import { Scope, testScope } from "../support/scope.ts";

const EVENTS = 1_200;
/** Snapshots, besides the newest and the seal points, that the ducklake extension reads too. */
const READ_BY_EXTENSION = 2;

/** The whole log may go as soon as it is sealed, or retention would never be due within a test. */
const RETENTION: Wish = { ingest: { logKeepMs: 0, logKeepBytes: 0, segmentMaxBytes: 65_536 } };

const INGEST_PLACES: readonly FailpointName[] = [
  "ingest-before-append",
  "ingest-in-append",
  "ingest-after-append",
  "log-rotate-before-create",
  "log-rotate-mid",
  "log-rotate-after",
];
const RETENTION_PLACES: readonly FailpointName[] = [
  "log-retention-before-unlink",
  "log-retention-mid-unlink",
];
/** Reached while records come in one by one. */
const LIVE_PLACES: readonly FailpointName[] = [
  "pipeline-after-read",
  "pipeline-after-run",
  "commit-before",
  "commit-in",
  "commit-after",
  "seal-before",
  "seal-files-written",
  "seal-in-transaction",
  "seal-after",
  "expire-mid",
  "expire-after",
  "prune-mid",
  "prune-after",
  "sweep-mid-unlink",
  "parquet-after-rename",
];
/** A batch must have 2,000 rows before its Parquet files are worth their while (storage/lake/commit/prepare-files.ts). */
const BACKLOG: Wish = { lake: { catchUpRecords: 1_150 } };
/** Reached while a backlog goes straight to Parquet. */
const CATCHING_UP_PLACES: readonly FailpointName[] = [
  "parquet-mid-write",
  "parquet-before-fsync",
  "parquet-before-rename",
  "parquet-after-rename",
  "parquet-before-commit",
  "commit-before",
  "commit-in",
  "commit-after",
];
const AMEND_PLACES: readonly FailpointName[] = ["amend-before", "amend-in-transaction"];

/** Undisturbed: the feed's events once through the whole engine; and its log with amending records behind, replayed. */
const shared = new Scope();
let reference: Dump;
let undisturbed: EngineRun;

beforeAll(async () => {
  undisturbed = await EngineRun.start({ scope: shared });
  await undisturbed.drained(EVENTS);
  await undisturbed.stop();
  await judgeRun(shared, undisturbed, { reference: null, servings: "exact", replays: true });
  reference = await dumpLake(undisturbed.folder);
});

afterAll(() => shared.close());

test("every failpoint of ingest and pipeline has its case here", () => {
  const covered = new Set<FailpointName>([
    ...INGEST_PLACES,
    ...RETENTION_PLACES,
    ...LIVE_PLACES,
    ...CATCHING_UP_PLACES,
    ...AMEND_PLACES,
    "state-load",
  ]);
  expect([...FAILPOINT_NAMES].filter((name) => !covered.has(name))).toEqual([]);
});

describe("ingest killed", () => {
  test.each(INGEST_PLACES)("at %s loses nothing and counts nothing twice", async (name) => {
    const scope = testScope();
    const run = await EngineRun.start({ scope });
    await run.untilStatus("records came", (status) => (status.ingest?.head ?? 0) > 100);
    await run.killAt("ingest", name, 1);
    await run.drained(EVENTS);
    await run.stop();
    await judgeRun(scope, run, { reference, servings: "at most", replays: false });
  });

  test.each(RETENTION_PLACES)("at %s loses nothing and finishes the clean-up", async (name) => {
    const scope = testScope();
    const run = await EngineRun.start({ scope, wish: RETENTION });
    await run.untilRunning("ingest");
    await run.killAt("ingest", name, 1);
    await run.drained(EVENTS);
    await run.stop();
    await judgeRun(scope, run, { reference, servings: "at most", replays: false });
  });
});

describe("pipeline killed", () => {
  test.each(LIVE_PLACES)("live at %s makes the tables of an undisturbed run", async (name) => {
    const scope = testScope();
    const run = await EngineRun.start({ scope });
    await run.untilStatus("commits came", (status) => (status.pipeline?.checkpoint ?? 0) > 100);
    // On a slow machine one step expires all that is due, and no second one has anything left to do.
    await run.killAt("pipeline", name, /^(expire|prune)-/.test(name) ? 1 : 2);
    await run.drained(EVENTS);
    await run.stop();
    await expectKeptReadAlike(run.folder, READ_BY_EXTENSION);
    await judgeRun(scope, run, { reference, servings: "exact", replays: true });
  });

  test("at state-load, right after another kill, makes the tables of an undisturbed run", async () => {
    const scope = testScope();
    const run = await EngineRun.start({ scope });
    await run.untilStatus("commits came", (status) => (status.pipeline?.checkpoint ?? 0) > 200);
    const reportPath = join(run.folder.workspace, "state-load.json");
    run.host.arms.push({ worker: "pipeline", start: 2, name: "state-load", hit: 1, reportPath });
    run.kill("pipeline");
    const { pid } = await reported(reportPath, "state-load", () => run.explain());
    run.kill("pipeline", pid);
    await run.drained(EVENTS);
    await run.stop();
    await expectKeptReadAlike(run.folder, READ_BY_EXTENSION);
    await judgeRun(scope, run, { reference, servings: "exact", replays: true });
  });

  test.each(CATCHING_UP_PLACES)("catching up at %s makes the tables of an undisturbed run", async (name) => {
    const scope = testScope();
    const folder = copyLog(scope, undisturbed.folder);
    const alone = new PipelineAlone(scope, folder, undisturbed.source, BACKLOG);
    await killAloneAt(alone, name, 1);
    expectSameLog(await dumpLake(folder), reference);
  });

  test.each(AMEND_PLACES)("at %s makes the tables of an undisturbed replay", async (name) => {
    const scope = testScope();
    const folder = copyLog(scope, undisturbed.folder);
    await appendAmendingRecords(folder, undisturbed.source, reference);
    const calm = new PipelineAlone(scope, copyLog(scope, folder), undisturbed.source);
    calm.start();
    await calm.drained();
    await calm.stop();
    const alone = new PipelineAlone(scope, folder, undisturbed.source);
    await killAloneAt(alone, name, 1);
    const expected = await dumpLake(calm.folder);
    expect(expected.get("gold.edits_per_minute")?.some((row) => row["state"] === "amended")).toBe(true);
    expectSameLog(await dumpLake(alone.folder), expected);
  });
});

async function killAloneAt(alone: PipelineAlone, name: FailpointName, hit: number): Promise<void> {
  const reportPath = join(alone.folder.workspace, "failpoint.json");
  alone.host.arms.push({ worker: "pipeline", start: 1, name, hit, reportPath });
  alone.start();
  await reported(reportPath, name, () => alone.explain());
  expect(alone.kill()).toBe(true);
  await alone.drained();
  await alone.stop();
  await expectKeptReadAlike(alone.folder, READ_BY_EXTENSION);
  expect(alone.host.startsOf("pipeline")).toBe(2);
}
