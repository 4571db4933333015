import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import { describeSource, formatSettings, formatStatusLine } from "#main/headless/terminal-text.ts";
import type { DataFolder } from "#storage/files/data-folder.ts";
import { startCli } from "../support/cli-process.ts";
import { expectSameLog } from "../support/compare-tables.ts";
import { type Dump, dumpLake, rowsOf } from "../support/dump-lake.ts";
import { fastSettings } from "../support/fast-settings.ts";
import { endCase, startCase } from "../support/field-case.ts";
import { canary, event, frame, idOf, T0_MS } from "../support/invented-events.ts";
import { copyFolder, replayFrom, replayLog } from "../support/pipeline-alone.ts";
import { until } from "../support/poll.ts";
import { type Scope, testScope } from "../support/scope.ts";
import { startSseServer } from "../support/sse-server.ts";
import { expectVerified } from "../support/verify-lake.ts";

const SECOND = 1_000;

function idSet(dump: Dump, table: string): ReadonlySet<string> {
  return new Set(rowsOf(dump, table).map((row) => String(row["id"])));
}

/** Serves events at the given seconds before T0, once, and holds the line. */
function ages(seconds: readonly number[]): Parameters<typeof startSseServer>[1] {
  return async (line) => {
    for (const [i, ago] of seconds.entries()) await line.write(frame(event(i, {}, T0_MS - ago * SECOND)));
    await line.hold();
  };
}

test("C43: a source that sends only canaries is alive without edits, its last windows wait for a newer event and say so, also in exports, and nothing is forced by the clock", async () => {
  const scope = testScope();
  let sendNewer: () => void = () => undefined;
  const newer = new Promise<void>((resolve) => (sendNewer = resolve));
  const server = await startSseServer(scope, async (line) => {
    for (let i = 0; i < 50; i += 1) await line.write(frame(event(i)));
    for (let i = 0; i < 20; i += 1)
      await line.write(frame(canary(1_000 + i, undefined, T0_MS + i * 60_000)), 50);
    await newer;
    await line.write(frame(event(50, {}, T0_MS + 240_000)));
    await line.hold();
  });
  const run = await startCase(scope, server);
  const status = await run.settled(71);
  expect(status.ingest?.connection).toMatchObject({ state: "open", receiving: true });
  const before = await dumpLake(run.folder);
  expect(new Set(rowsOf(before, "gold.edits_per_minute").map((row) => row["state"]))).toEqual(
    new Set(["open"]),
  );
  expect(status.pipeline?.watermarkMs).toBe(T0_MS - 120_000);
  const told = await run.untilStatus("it is alive without edits", (now) =>
    describeSource(now).startsWith("alive, no edits for "),
  );
  const open = [...before].flatMap(([, rows]) => rows.filter((row) => row["state"] === "open")).length;
  expect(open).toBeGreaterThan(3);
  expect(formatStatusLine(told)).toContain(`${open} window rows waiting for a newer event`);
  expect(told.banners).toEqual([]);
  await expectOpenMarks(scope, run.folder, before);
  sendNewer();
  await run.settled(72);
  const moving = await run.untilStatus("it sends edits", (now) => describeSource(now) === "receiving");
  expect(formatStatusLine(moving)).not.toContain("waiting");
  const dump = await endCase(scope, run, server);
  const settled = rowsOf(dump, "gold.edits_per_minute").filter((row) => row["state"] === "settled");
  expect(settled.reduce((sum, row) => sum + Number(row["changes"]), 0)).toBe(50);
});

/** What `highwater status`, `tables` and `export` print while the windows are open, beside the running engine. */
async function expectOpenMarks(scope: Scope, folder: DataFolder, dump: Dump): Promise<void> {
  const edits = rowsOf(dump, "gold.edits_per_minute").length;
  const cli = async (...args: readonly string[]): Promise<string> => {
    const started = startCli(scope, [...args, "--data", folder.root]);
    expect(await started.ended).toMatchObject({ code: 0 });
    return started.stdout();
  };
  expect(await cli("status")).toMatch(
    /alive, no edits for .* window rows waiting for a newer event[^]*settings in force since offset 1: allowed lateness 2 min/,
  );
  const json: unknown = JSON.parse(await cli("status", "--json"));
  expect(json).toMatchObject({ state: expect.stringContaining("alive, no edits"), banners: [] });
  expect(await cli("tables")).toMatch(/open: rows of windows that wait for a newer event/);
  const file = join(folder.root, "edits.csv");
  expect(await cli("export", "gold.edits_per_minute", "--to", file)).toContain(
    `${edits} of them are open (column state)`,
  );
  const lines = readFileSync(file, "utf8").trim().split("\n");
  expect(lines.filter((line) => line.includes(",open,"))).toHaveLength(edits);
}

test("C44: one producer ahead of time moves the watermark at most by the written tolerance, and what it made late is kept and listed", async () => {
  const scope = testScope();
  const server = await startSseServer(scope, ages([0, -7_200, -100, -20, 1, 2, 3, 30, 60, 110, 119]));
  const run = await startCase(scope, server);
  const status = await run.settled(11);
  // Two hours ahead is set aside; 100 s ahead is within the tolerance of 5 minutes.
  expect(status.pipeline?.watermarkMs).toBe(T0_MS + 100_000 - 120_000);
  const dump = await endCase(scope, run, server);
  expect(idSet(dump, "main.dead_letters")).toEqual(new Set([idOf(1)]));
  const kept = new Set([0, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(idOf));
  expect(idSet(dump, "bronze.recentchange")).toEqual(kept);
  expect(idSet(dump, "silver.changes")).toEqual(kept);
  expect(idSet(dump, "main.late_arrivals")).toEqual(new Set([7, 8, 9, 10].map(idOf)));
});

test("C46: of ages 0, 22, 119, 155 and 600 s the last two are late, kept with their payload; an old backlog alone is not late", async () => {
  const scope = testScope();
  const server = await startSseServer(scope, ages([0, 22, 119, 155, 600]));
  const run = await startCase(scope, server);
  await run.settled(5);
  const dump = await endCase(scope, run, server);
  expect(idSet(dump, "silver.changes").size).toBe(5);
  expect(idSet(dump, "main.late_arrivals")).toEqual(new Set([idOf(3), idOf(4)]));
  for (const row of rowsOf(dump, "main.late_arrivals"))
    expect(JSON.parse(String(row["raw"]))).toMatchObject({ meta: { id: row["id"] } });

  const day = 35 * 3_600;
  const backlog = await startSseServer(scope, ages([day, day - 10, day + 22, day + 100, day - 60]));
  const later = await startCase(scope, backlog);
  await later.settled(5);
  const old = await endCase(scope, later, backlog);
  expect(rowsOf(old, "silver.changes")).toHaveLength(5);
  expect(rowsOf(old, "main.late_arrivals")).toEqual([]);
});

test("C48: an id is caught a second before and at the horizon, and let through a second after, also across a kill", async () => {
  const scope = testScope();
  const wish = { result: { allowedLatenessMs: 0, dedupHorizonMs: 600_000 } };
  let goOn: () => void = () => undefined;
  const killed = new Promise<void>((resolve) => (goOn = resolve));
  const server = await startSseServer(scope, async (line) => {
    const mover = (i: number, seconds: number) =>
      line.write(frame(event(i, {}, T0_MS - (700 - seconds) * SECOND)));
    const again = () => line.write(frame(event(1, {}, T0_MS - 700 * SECOND)));
    await again();
    await mover(2, 599);
    await again();
    await killed;
    await mover(3, 600);
    await again();
    await mover(4, 601);
    await again();
    await line.hold();
  });
  const run = await startCase(scope, server, wish);
  await run.untilStatus("the first repeat is committed", ({ pipeline }) => (pipeline?.checkpoint ?? 0) >= 4);
  run.kill("pipeline");
  goOn();
  await run.settled(8);
  await run.stop();
  const checks = await expectVerified(run.folder, null);
  expect(checks.some(({ detail }) => /1 repeats? beyond the horizon/.test(detail))).toBe(true);
  const dump = await dumpLake(run.folder);
  const reasons = rowsOf(dump, "main.discards").map((row) => `${String(row["reason"])} ${String(row["id"])}`);
  expect(reasons).toEqual([`duplicate ${idOf(1)}`, `duplicate ${idOf(1)}`]);
  expect(rowsOf(dump, "bronze.recentchange").filter((row) => row["id"] === idOf(1))).toHaveLength(2);
  expectSameLog(await replayLog(scope, run.folder, run.source, wish), dump);
});

test("C48: a lowered horizon keeps what was promised under the old one, also across a kill; what comes after it holds for the new one", async () => {
  const scope = testScope();
  const wishOf = (dedupHorizonMs: number) => ({ result: { allowedLatenessMs: 0, dedupHorizonMs } });
  const at = (seconds: number) => T0_MS - (1_000 - seconds) * SECOND;
  let goOn: () => void = () => undefined;
  const killed = new Promise<void>((resolve) => (goOn = resolve));
  const server = await startSseServer(scope, async (line) => {
    const mover = (i: number, seconds: number) => line.write(frame(event(i, {}, at(seconds))));
    const first = () => line.write(frame(event(1, {}, at(0))));
    const fifth = () => line.write(frame(event(5, {}, at(600))));
    if (line.n === 1) {
      await first();
      await mover(2, 300);
      await line.hold();
    }
    // Under 60 s now: id 1 is still held, for 600 s.
    await first();
    await mover(3, 600);
    await first();
    // Promised for 60 s from here. Ids leave in the order of their offsets, so it stays until id 2 may go, at 900 s.
    await fifth();
    await killed;
    await mover(4, 660);
    await fifth();
    await first();
    await mover(6, 900);
    await fifth();
    await mover(7, 901);
    await fifth();
    await line.hold();
  });
  const before = await startCase(scope, server, wishOf(600_000));
  await before.settled(3);
  await before.stop();
  const run = await startCase(scope, server, wishOf(60_000), before.folder.root);
  await run.untilStatus("the kill may come", ({ pipeline }) => (pipeline?.checkpoint ?? 0) >= 8);
  run.kill("pipeline");
  goOn();
  await run.settled(15);
  await run.stop();
  const checks = await expectVerified(run.folder, null);
  expect(checks.some(({ detail }) => /2 repeats beyond the horizon/.test(detail))).toBe(true);
  const dump = await dumpLake(run.folder);
  const duplicates = rowsOf(dump, "main.discards").map((row) => row["id"]);
  expect(duplicates).toEqual([1, 1, 5, 5].map(idOf));
  const bronze = rowsOf(dump, "bronze.recentchange").map((row) => row["id"]);
  expect(bronze).toEqual([1, 2, 3, 5, 4, 1, 6, 7, 5].map(idOf));
  expectSameLog(await replayLog(scope, run.folder, run.source, wishOf(60_000)), dump);
});

test("C49: settings changed between stop and start, and changed back, take effect at one recorded offset each; earlier rows keep theirs in any replay, also from older checkpoints; invalid ones are named", async () => {
  const scope = testScope();
  let count = 0;
  const server = await startSseServer(scope, async (line) => {
    // Each connection brings five new events and one of 60 s ago: late at 10 s of lateness, not at 120 s.
    for (let step = 0; step < 5; step += 1) {
      count += 1;
      await line.write(frame(event(count, {}, T0_MS + count * SECOND)));
    }
    count += 1;
    await line.write(frame(event(count, {}, T0_MS + (count - 60) * SECOND)));
    await line.hold();
  });
  const first = await startCase(scope, server);
  await first.settled(7);
  await first.stop();
  const asBefore = copyFolder(scope, first.folder);

  const changed = {
    result: {
      allowedLatenessMs: 10_000,
      dedupHorizonMs: 300_000,
      disabledRules: ["length-consistency"],
      windows: { ...DEFAULT_RESULT_SETTINGS.windows, editsPerMinuteMs: 30_000 },
    },
  };
  const second = await startCase(scope, server, changed, first.folder.root);
  const underChanged = await second.settled(14);
  await second.stop();
  const asChanged = copyFolder(scope, first.folder);

  const third = await startCase(scope, server, changed, first.folder.root);
  await third.settled(20);
  await third.stop();

  writeFileSync(
    first.folder.settings,
    JSON.stringify({ ...fastSettings(), result: { allowedLatenessMs: -5 } }),
  );
  const { startEngine } = await import("#main/compose.ts");
  const { feedOptionsSchema } = await import("#pipeline/protocol/feed-options.ts");
  const engine = await startEngine({
    dataFolder: first.folder.root,
    source: server.url,
    feed: feedOptionsSchema.parse({}),
    stopAfterEvents: null,
    host: third.host,
    version: "test",
    withQuery: false,
  });
  scope.onEnd(() => engine.stop());
  await until("the invalid setting is named", () =>
    engine.status().banners.some(({ detail }) => detail.includes("allowedLatenessMs")),
  );
  await until("events came under the old settings", () => (engine.status().pipeline?.checkpoint ?? 0) >= 26);
  const refused = formatSettings(engine.status());
  await engine.stop();

  const back = await startCase(scope, server, {}, first.folder.root);
  const underFirst = await back.settled(33);
  await back.stop();

  const dump = await dumpLake(first.folder);
  const settings = rowsOf(dump, "main.control")
    .filter((row) => row["record_kind"] === "settings")
    .map(
      (row) => `${String(row["log_offset"])} ${/"allowedLatenessMs":(\d+)/.exec(String(row["body"]))?.[1]}`,
    );
  const firstOfChanged = settings.findIndex((line) => line.endsWith(" 10000"));
  expect(settings.slice(0, firstOfChanged).every((line) => line.endsWith(" 120000"))).toBe(true);
  const later = settings.slice(firstOfChanged);
  const changedBack = later.findIndex((line) => line.endsWith(" 120000"));
  expect(changedBack).toBeGreaterThan(0);
  expect(later.slice(0, changedBack).every((line) => line.endsWith(" 10000"))).toBe(true);
  expect(later.slice(changedBack).every((line) => line.endsWith(" 120000"))).toBe(true);
  const backAt = Number(later[changedBack]?.split(" ")[0]);
  expect(backAt).toBeGreaterThan(26);
  expect(underFirst.pipeline?.settings).toMatchObject({
    sinceOffset: backAt,
    inForce: DEFAULT_RESULT_SETTINGS,
  });
  const changedAt = Number(settings[firstOfChanged]?.split(" ")[0]);
  expect(changedAt).toBeGreaterThan(7);
  // The screen says which held, and from where on: also after restarts, and while a bad file is refused.
  expect(underChanged.pipeline?.settings).toMatchObject({
    sinceOffset: changedAt,
    inForce: { allowedLatenessMs: 10_000, disabledRules: ["length-consistency"] },
  });
  expect(refused[0]).toContain(
    `settings in force since offset ${changedAt}: allowed lateness 10 s · dedup horizon 5 min`,
  );
  expect(refused[0]).toContain("rules off length-consistency · window of edits 30 s");
  expect(refused[1]).toMatch(/^refused: .*settings\.json: result\.allowedLatenessMs: /);
  const late = rowsOf(dump, "main.late_arrivals").map((row) => Number(row["log_offset"]));
  expect(late.length).toBeGreaterThanOrEqual(2);
  expect(late.every((offset) => offset > changedAt)).toBe(true);
  // The first rows, and the five on time after the change back, are in windows of a minute; those between are not.
  const byLength = (lengthMs: number) =>
    rowsOf(dump, "gold.edits_per_minute")
      .filter((row) => Number(row["window_length_ms"]) === lengthMs)
      .reduce((sum, row) => sum + Number(row["changes"]), 0);
  const inBetween = rowsOf(dump, "bronze.recentchange")
    .map((row) => Number(row["log_offset"]))
    .filter((offset) => offset > changedAt && offset < backAt);
  expect(byLength(60_000)).toBeGreaterThanOrEqual(6 + 5);
  expect(byLength(30_000)).toBeLessThanOrEqual(inBetween.length);
  expect(byLength(30_000)).toBeGreaterThanOrEqual(15);
  expectSameLog(await replayLog(scope, first.folder, first.source), dump);
  for (const older of [asBefore, asChanged])
    expectSameLog(await replayFrom(scope, older, first.folder, first.source), dump);
  await expectVerified(first.folder, null);
});
