import { copyFileSync, cpSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { dataFolderAt, type DataFolder } from "#storage/files/data-folder.ts";
import { readLastSeen } from "#main/engine/last-seen.ts";
import { dumpLake, openReader, rowsOf, type Dump } from "../support/dump-lake.ts";
import { endCase, startCase } from "../support/field-case.ts";
import type { EngineRun } from "../support/engine-run.ts";
import { event, frame, idOf, resumedFromMs, T0_MS } from "../support/invented-events.ts";
import { until } from "../support/poll.ts";
import { type Scope, testScope } from "../support/scope.ts";
import { type SseServer, startSseServer } from "../support/sse-server.ts";
import { expectVerified } from "../support/verify-lake.ts";

/** Nothing is sealed, rotated or carried over by itself: what a lost -wal file takes is what the test left there. */
const STILL = {
  ingest: { segmentMaxAgeMs: 3_600_000, segmentMaxBytes: 64 * 1_048_576 },
  lake: { sealRows: 1_000_000, sealAgeMs: 3_600_000, keepAllMs: 3_600_000, keepAllSnapshots: 5_000 },
};

const FIRST = 30;
const ALL = 60;

/** Serves events 0, 1, … of one a second, up to what `letGo` allowed so far, from where the request asks. */
async function stream(scope: Scope): Promise<{ server: SseServer; letGo: (upTo: number) => void }> {
  let allowed = FIRST;
  const server = await startSseServer(scope, async (line) => {
    const from = resumedFromMs(line.request.headers["last-event-id"]);
    let next = Math.max(0, Math.ceil((from - T0_MS) / 1_000));
    while (!line.isGone()) {
      for (; next < allowed; next += 1) await line.write(frame(event(next, {}, T0_MS + next * 1_000)));
      await line.wait(20);
    }
  });
  return { server, letGo: (upTo) => (allowed = upTo) };
}

/** A copy of a folder in use, as a backup or a broken disk would leave it: without one kind of -wal file. */
function copyWithout(scope: Scope, folder: DataFolder, isLost: (path: string) => boolean): DataFolder {
  const copy = dataFolderAt(join(scope.folder(), "copy"));
  cpSync(folder.root, copy.root, {
    recursive: true,
    filter: (path) => !/(app\.sock|writer\.(lock|json))/.test(basename(path)) && !isLost(path),
  });
  return copy;
}

function sideFileIn(part: string): (path: string) => boolean {
  return (path) => path.includes(`/${part}/`) && /-(wal|shm)$/.test(path);
}

/** Carries what is in the -wal file over into the database itself, as SQLite does by itself now and then. */
function carryOver(path: string): void {
  const database = new Database(path);
  try {
    database.pragma("wal_checkpoint(PASSIVE)");
  } finally {
    database.close();
  }
}

function segmentOf(run: EngineRun): string {
  const folder = run.folder.log(run.source);
  const [name] = readdirSync(folder).filter((each) => each.endsWith(".sqlite"));
  if (name === undefined) throw new Error("the log has no segment");
  return join(folder, name);
}

async function untilSeen(run: EngineRun, isEnough: (seen: ReturnType<typeof readLastSeen>) => boolean) {
  return until("last-seen.json is saved", () => {
    const seen = readLastSeen(run.folder.lastSeen);
    return isEnough(seen) ? seen : null;
  });
}

function expectEachOnce(dump: Dump, count: number): void {
  const ids = rowsOf(dump, "bronze.recentchange").map((row) => String(row["id"]));
  expect(ids.toSorted((left, right) => left.localeCompare(right))).toEqual(
    Array.from({ length: count }, (_, i) => idOf(i)),
  );
}

function notesIn(dump: Dump, name: string): readonly string[] {
  return rowsOf(dump, "main.control")
    .map((row) => String(row["body"]))
    .filter((body) => body.includes(name));
}

/** `ahead`: the lake had committed what the log lost. `behind`: only the log had it, and the source had been told so. */
test.each(["ahead", "behind"] as const)(
  "a segment that lost its -wal file reads whole, only shorter: with the lake %s nothing is lost silently, and everything comes again once",
  async (lake) => {
    const scope = testScope();
    const { server, letGo } = await stream(scope);
    const run = await startCase(scope, server, STILL);
    await run.settled(FIRST + 1);
    carryOver(segmentOf(run));
    const holder = new Database(run.folder.catalog);
    scope.onEnd(() => void holder.close());
    if (lake === "behind") holder.exec("BEGIN IMMEDIATE");
    letGo(ALL);
    await run.untilStatus("the log has all", ({ ingest }) => ingest?.head === ALL + 1);
    await untilSeen(run, ({ sources }) => sources[run.source]?.head === ALL + 1);
    if (lake === "ahead") await run.settled(ALL + 1);
    const copy = copyWithout(scope, run.folder, sideFileIn("log"));
    if (lake === "behind") holder.exec("ROLLBACK");
    holder.close();
    await run.stop();

    const again = await startCase(scope, server, STILL, copy.root);
    letGo(ALL + 5);
    const told = await again.untilStatus("the loss is told", ({ banners }) =>
      banners.some(({ id }) => id === "losses"),
    );
    expect(told.banners.find(({ id }) => id === "losses")?.detail).toContain(
      `At offsets ${FIRST + 2} to ${ALL + 1}`,
    );
    await again.untilStatus("all came again", ({ pipeline }) => pipeline?.ledger["bronze"] === ALL + 5);
    const mayNotTell = ["gaps", "log", "in-flight"];
    const dump = await endCase(scope, again, server, mayNotTell);
    const checks = await expectVerified(copy, null, mayNotTell);
    expect(checks.find(({ id }) => id === "in-flight")).toMatchObject({
      verdict: "cannot-tell",
      examples: [expect.stringMatching(`^${ALL - FIRST} of \\d+ offsets are not in the first hop's account`)],
    });
    expectEachOnce(dump, ALL + 5);
    expect(notesIn(dump, "log-tail-lost")).toEqual([
      JSON.stringify({ note: "log-tail-lost", fromOffset: FIRST + 2, toOffset: ALL + 1 }),
    ]);
  },
);

test("a catalog that lost its newest commits is told, its records are processed again from the log, and no snapshot id is given twice", async () => {
  const scope = testScope();
  const { server, letGo } = await stream(scope);
  const run = await startCase(scope, server, STILL);
  await run.settled(FIRST + 1);
  carryOver(run.folder.catalog);
  letGo(ALL);
  const { pipeline } = await run.settled(ALL + 1);
  const newest = pipeline?.snapshotId ?? 0;
  await untilSeen(run, ({ snapshotId }) => snapshotId >= newest);
  const before = await dumpLake(run.folder);
  const copy = copyWithout(scope, run.folder, sideFileIn("lake"));
  await run.stop();

  const again = await startCase(scope, server, STILL, copy.root);
  const told = await again.untilStatus("it is told", ({ banners }) =>
    banners.some(({ id }) => id === "catalog-went-back"),
  );
  expect(told.pipeline?.wentBack).toMatchObject({ seenSnapshotId: newest });
  const found = told.pipeline?.wentBack?.foundSnapshotId ?? 0;
  expect(found).toBeLessThan(newest);
  const isNoted = async () => notesIn(await dumpLake(copy), "catalog-went-back").length === 1;
  await until("the log keeps the note", isNoted);
  const ids = await snapshotIds(copy);
  expect(ids.filter((id) => id > found && id <= newest)).toEqual([]);
  expect(ids.some((id) => id > newest)).toBe(true);
  const dump = await endCase(scope, again, server);
  expectEachOnce(dump, ALL);
  // The log decides: the same offsets hold the same records as before.
  for (const table of ["bronze.recentchange", "silver.changes"])
    expect(new Set(rowsOf(dump, table).map((row) => JSON.stringify(row)))).toEqual(
      new Set(rowsOf(before, table).map((row) => JSON.stringify(row))),
    );
});

test("a catalog put back from an old copy goes on from the log; what newer seals wrote is moved away, not deleted", async () => {
  const scope = testScope();
  const { server, letGo } = await stream(scope);
  const wish = { ...STILL, lake: { ...STILL.lake, sealRows: 20 } };
  const run = await startCase(scope, server, wish);
  await run.settled(FIRST + 1);
  carryOver(run.folder.catalog);
  const backup = join(scope.folder(), "catalog.sqlite");
  copyFileSync(run.folder.catalog, backup);
  const sealedAt = run.engine.status().pipeline?.sealedOffset ?? 0;
  letGo(ALL);
  await run.settled(ALL + 1);
  await run.untilStatus("a newer seal", ({ pipeline }) => (pipeline?.sealedOffset ?? 0) > sealedAt);
  await run.stop();
  const files = parquetFiles(run.folder.lakeData);
  for (const end of ["-wal", "-shm"]) rmSync(run.folder.catalog + end, { force: true });
  copyFileSync(backup, run.folder.catalog);

  const again = await startCase(scope, server, wish, run.folder.root);
  const told = await again.untilStatus("it is told", ({ banners }) =>
    banners.some(({ id }) => id === "catalog-went-back"),
  );
  const setAside = told.pipeline?.wentBack?.setAside ?? { files: 0, to: "nowhere" };
  expect(told.banners.map(({ detail }) => detail).join()).toContain(setAside.to);
  const moved = parquetFiles(setAside.to);
  expect(moved.length).toBe(setAside.files);
  expect(files).toEqual(expect.arrayContaining([...moved]));
  await again.settled(ALL + 1);
  const dump = await endCase(scope, again, server);
  expectEachOnce(dump, ALL);
  expect(notesIn(dump, "catalog-went-back")).toHaveLength(1);
  expect(parquetFiles(setAside.to)).toEqual(moved);
});

function parquetFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".parquet"),
  );
}

async function snapshotIds(folder: DataFolder): Promise<readonly number[]> {
  const reader = openReader(folder);
  try {
    return reader.snapshots(10_000).map(({ snapshotId }) => Number(snapshotId));
  } finally {
    await reader.close();
  }
}
