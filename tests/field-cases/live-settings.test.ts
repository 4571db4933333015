import { expect, test } from "vitest";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { EngineRun as Run } from "../support/engine-run.ts";
import { EngineRun } from "../support/engine-run.ts";
import { expectSameLog } from "../support/compare-tables.ts";
import { type Dump, dumpLake, rowsOf } from "../support/dump-lake.ts";
import { fastSettings, type Wish } from "../support/fast-settings.ts";
import { replayLog } from "../support/pipeline-alone.ts";
import { testScope } from "../support/scope.ts";
import { expectVerified } from "../support/verify-lake.ts";

const FAST = fastSettings();
const FIRST_MS = FAST.result.allowedLatenessMs;

/** The wish as a text, as the window saves it. */
function wishText(allowedLatenessMs: number): string {
  return JSON.stringify({ ...FAST, result: { ...FAST.result, allowedLatenessMs } });
}

function isInForce(allowedLatenessMs: number) {
  return ({ pipeline }: AppStatus): boolean =>
    pipeline?.settings?.inForce.allowedLatenessMs === allowedLatenessMs;
}

/** Offset and lateness of every settings record, in the order of the log. */
function settingsRecords(dump: Dump): readonly { readonly offset: number; readonly latenessMs: number }[] {
  return rowsOf(dump, "main.control")
    .filter((row) => row["record_kind"] === "settings")
    .map((row) => ({
      offset: Number(row["log_offset"]),
      latenessMs: Number(/"allowedLatenessMs":(\d+)/.exec(String(row["body"]))?.[1]),
    }));
}

/** Changes of lateness from record to record: what was decided, not how often a segment repeated it. */
function changesOf(dump: Dump): readonly number[] {
  return settingsRecords(dump)
    .map(({ latenessMs }) => latenessMs)
    .filter((latenessMs, at, all) => at === 0 || latenessMs !== all[at - 1]);
}

async function applied(run: Run, allowedLatenessMs: number): Promise<AppStatus> {
  await run.engine.saveSettings(wishText(allowedLatenessMs));
  return run.untilStatus(`${allowedLatenessMs} ms are in force`, isInForce(allowedLatenessMs));
}

const WISH: Wish = {};

test("C49: a setting changed while the stream runs takes effect at one recorded offset, as does changing it back; a replay decides every record as it was decided then", async () => {
  const scope = testScope();
  const run = await EngineRun.start({ scope, wish: WISH });
  await run.drained(200);
  const changed = await applied(run, 10_000);
  const changedAt = changed.pipeline?.settings?.sinceOffset ?? 0;
  expect(changedAt).toBeGreaterThan(200);
  await run.drained(500);
  // Saving what holds already appends nothing.
  await run.engine.saveSettings(wishText(10_000));
  const back = await applied(run, FIRST_MS);
  expect(back.pipeline?.settings?.sinceOffset).toBeGreaterThan(changedAt);
  await run.drained(800);
  await run.stop();

  await expectVerified(run.folder, null);
  const dump = await dumpLake(run.folder);
  expect(changesOf(dump)).toEqual([FIRST_MS, 10_000, FIRST_MS]);
  expect(settingsRecords(dump).find(({ latenessMs }) => latenessMs === 10_000)?.offset).toBe(changedAt);
  expectSameLog(await replayLog(scope, run.folder, run.source, WISH), dump);
});

test("C49: what is wrong is refused by name and changes nothing; two quick changes end at the last one", async () => {
  const scope = testScope();
  const run = await EngineRun.start({ scope, wish: WISH });
  await run.drained(100);
  await expect(run.engine.saveSettings(wishText(-5))).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("result.allowedLatenessMs"),
  });
  await Promise.all([run.engine.saveSettings(wishText(20_000)), run.engine.saveSettings(wishText(30_000))]);
  const { settings } = run.engine.settings();
  await run.untilStatus("the last wish is in force", isInForce(settings.result.allowedLatenessMs));
  await run.stop();
  const changes = changesOf(await dumpLake(run.folder));
  expect(changes[0]).toBe(FIRST_MS);
  expect(changes.at(-1)).toBe(settings.result.allowedLatenessMs);
});

test("C49: a change saved while ingest is away takes effect when it is back", async () => {
  const scope = testScope();
  const run = await EngineRun.start({ scope, wish: WISH });
  await run.drained(100);
  run.kill("ingest");
  await applied(run, 15_000);
  await run.drained(400);
  await run.stop();
  await expectVerified(run.folder, null);
  expect(changesOf(await dumpLake(run.folder))).toEqual([FIRST_MS, 15_000]);
});
