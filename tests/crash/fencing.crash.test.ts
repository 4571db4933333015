import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { dataFolderAt, type DataFolder } from "#storage/files/data-folder.ts";
import { readProcessStart } from "#storage/files/process-start.ts";
import { readWriterRecord } from "#storage/files/writer-record.ts";
import { askStatus, type CliProcess, startCli } from "../support/cli-process.ts";
import { EngineRun, FEED_START_MS } from "../support/engine-run.ts";
import { fastSettings } from "../support/fast-settings.ts";
import { until } from "../support/poll.ts";
import { type Scope, testScope } from "../support/scope.ts";
import { IS_FULL, randomFrom, SEED } from "../support/seed.ts";
import { SnapshotRecord } from "../support/snapshot-record.ts";
import { judgeRun } from "../support/judge-run.ts";
import { expectVerified } from "../support/verify-lake.ts";
import { isAlive } from "../support/watched-host.ts";

const STARTS = IS_FULL ? 10 : 3;
/** "Workers end within 2 s of main's death", and a second for a loaded machine to notice it. */
const ORPHAN_LIMIT_MS = 3_000;

function newFolder(scope: Scope): DataFolder {
  const folder = dataFolderAt(join(scope.folder(), "data"));
  mkdirSync(folder.workspace, { recursive: true });
  writeFileSync(folder.settings, JSON.stringify(fastSettings()));
  return folder;
}

/** A feed that outlives every engine of the test, as the real one does. */
async function startFeed(
  scope: Scope,
  events: number,
  rate: number,
): Promise<{ url: string; manifest: string; cli: CliProcess }> {
  const manifest = join(scope.folder(), "manifest.ndjson");
  const args = [
    "feed",
    "--events",
    String(events),
    "--rate",
    String(rate),
    "--event-rate",
    "20",
    "--seed",
    "5",
  ];
  const start = new Date(FEED_START_MS).toISOString();
  const cli = startCli(scope, [...args, "--start", start, "--manifest", manifest]);
  const url = await until("the feed's address", () => /serving (\S+)/.exec(cli.stdout())?.[1], {
    explain: () => cli.stderr() + cli.stdout(),
  });
  return { url, manifest, cli };
}

function run(
  scope: Scope,
  folder: DataFolder,
  url: string,
  more: readonly string[] = [],
  data = folder.root,
): CliProcess {
  return startCli(scope, ["run", "--source", url, "--data", data, "--json", ...more]);
}

/** Other ways to name a folder: through a link, with a trailing slash, with `/./` in it. */
function spellingsOf(folder: DataFolder): readonly string[] {
  const link = `${folder.root}-link`;
  symlinkSync(folder.root, link);
  return [`${link}/`, `${dirname(folder.root)}/./${basename(folder.root)}//`, `${link}/./`];
}

async function untilCommitted(folder: DataFolder, checkpoint: number, cli: CliProcess): Promise<number> {
  const status = await until(
    `checkpoint ${checkpoint}`,
    async () => {
      const now = await askStatus(folder);
      return (now?.pipeline?.checkpoint ?? 0) >= checkpoint ? now : null;
    },
    { everyMs: 50, explain: () => cli.stderr() },
  );
  return status.pipeline?.checkpoint ?? 0;
}

async function pidsOf(folder: DataFolder): Promise<ReadonlyMap<string, number>> {
  const status = await askStatus(folder);
  return new Map(
    (status?.workers ?? []).flatMap(({ name, phase }) =>
      typeof phase.pid === "number" ? [[name, phase.pid]] : [],
    ),
  );
}

describe("two starts on one folder", () => {
  test(`C35: within 200 ms, the second by another spelling of the folder, leave one holder, and the other says who that is (seed ${SEED})`, async () => {
    const random = randomFrom(SEED);
    for (let attempt = 0; attempt < STARTS; attempt += 1) {
      const scope = testScope();
      const folder = newFolder(scope);
      const { url } = await startFeed(scope, 200, 400);
      const first = run(scope, folder, url, ["--events", "200"]);
      await delay(random() * 200);
      const spellings = spellingsOf(folder);
      const spelling = spellings[attempt % spellings.length];
      const second = run(scope, folder, url, ["--events", "200"], spelling);
      const [one, two] = await Promise.all([first.ended, second.ended]);
      const said = first.stderr() + second.stderr();
      expect([one.code, two.code].filter((code) => code === 0).length, said).toBe(1);
      const [winner, loser] = one.code === 0 ? [first, second] : [second, first];
      expect(JSON.parse(loser.stdout())).toMatchObject({ error: { code: "data-folder-in-use" } });
      expect(loser.stderr()).toMatch(
        new RegExp(`pid ${winner.child.pid}, since \\d{4}-|Another start is taking`),
      );
      await expectVerified(folder, null);
    }
  });

  // Said loudly by the preparation of the test tools; CI installs it and never skips.
  const lacksStrace = process.env["CI"] === undefined && spawnSync("strace", ["-V"]).status !== 0;
  test.skipIf(lacksStrace)("C35: the loser opens no file of the data folder", async () => {
    const scope = testScope();
    const folder = newFolder(scope);
    const { url } = await startFeed(scope, 100_000, 100);
    const holder = run(scope, folder, url);
    await untilCommitted(folder, 50, holder);
    const trace = join(scope.folder(), "trace.txt");
    const strace = [
      "strace",
      "-f",
      "-qq",
      "-e",
      "trace=open,openat,openat2,creat,unlink,unlinkat,rename,renameat2",
      "-o",
      trace,
    ];
    const loser = startCli(scope, ["run", "--source", url, "--data", folder.root, "--json"], strace);
    expect((await loser.ended).code).toBe(1);
    const calls = readFileSync(trace, "utf8").split("\n");
    expect(calls.length).toBeGreaterThan(50);
    const inside = calls.filter((line) => line.includes(`${folder.root}/`) && !line.includes("app.sock"));
    expect(inside).toEqual([]);
    holder.child.kill("SIGTERM");
    expect((await holder.ended).code).toBe(0);
  });

  test("a start while a killed worker is away is refused, and the worker comes back", async () => {
    const scope = testScope();
    const engine = await EngineRun.start({ scope });
    await engine.untilStatus("commits came", (status) => (status.pipeline?.checkpoint ?? 0) > 50);
    for (const worker of ["pipeline", "ingest"] as const) {
      await engine.untilRunning(worker);
      engine.kill(worker);
      const second = startCli(scope, ["run", "--source", "demo", "--data", engine.folder.root, "--json"]);
      expect((await second.ended).code).toBe(1);
      expect(JSON.parse(second.stdout())).toMatchObject({ error: { code: "data-folder-in-use" } });
    }
    await engine.drained(1_200);
    await engine.stop();
    await judgeRun(scope, engine, { reference: null, servings: "at most", replays: true });
  });
});

describe("main killed", () => {
  test("C39: its workers end within 2 s and the next start goes on without repair", async () => {
    const scope = testScope();
    const folder = newFolder(scope);
    const { url } = await startFeed(scope, 600, 200);
    const first = run(scope, folder, url);
    const reached = await untilCommitted(folder, 100, first);
    const workers = await pidsOf(folder);
    expect([...workers.keys()].toSorted()).toEqual(["ingest", "pipeline"]);
    const record = new SnapshotRecord(folder);
    scope.onEnd(() => record.stop());
    record.start();
    first.child.kill("SIGKILL");
    await first.ended;
    await until("workers are gone", () => [...workers.values()].every((pid) => !isAlive(pid)), {
      limitMs: ORPHAN_LIMIT_MS,
    });
    const second = run(scope, folder, url, ["--events", "600"]);
    expect((await second.ended).code, second.stderr()).toBe(0);
    expect((await record.checkKept()).kept).toBeGreaterThan(0);
    expect(reached).toBeGreaterThanOrEqual(100);
    await expectVerified(folder, null);
  });

  test("C39: with a worker stopped by SIGSTOP: the next start ends that orphan first, and no snapshot id comes twice", async () => {
    for (const stopped of ["pipeline", "ingest"]) {
      const scope = testScope();
      const folder = newFolder(scope);
      const { url } = await startFeed(scope, 600, 200);
      const first = run(scope, folder, url);
      await untilCommitted(folder, 100, first);
      const pid = (await pidsOf(folder)).get(stopped) ?? 0;
      expect(pid).toBeGreaterThan(0);
      const start = readProcessStart(pid);
      const record = new SnapshotRecord(folder);
      scope.onEnd(() => record.stop());
      record.start();
      process.kill(pid, "SIGSTOP");
      first.child.kill("SIGKILL");
      await first.ended;
      const second = run(scope, folder, url, ["--events", "600"]);
      scope.onEnd(() => {
        if (readProcessStart(pid) === start) process.kill(pid, "SIGKILL");
      });
      const lock = stopped === "pipeline" ? folder.lakeLock : folder.logLock;
      await until("the second start's worker holds the lock", () => readWriterRecord(lock)?.pid !== pid);
      // Never two holders: by the time another process wrote itself down, the stopped one is no more.
      expect(readProcessStart(pid)).not.toBe(start);
      expect((await second.ended).code, second.stderr()).toBe(0);
      await record.checkKept();
      await expectVerified(folder, null);
    }
  });
});

test("C39: main stopped by SIGSTOP, then killed: a start in between is refused, workers end within 2 s of the kill, nothing needs repair", async () => {
  const scope = testScope();
  const folder = newFolder(scope);
  const { url } = await startFeed(scope, 600, 200);
  const first = run(scope, folder, url);
  await untilCommitted(folder, 100, first);
  const workers = await pidsOf(folder);
  expect(workers.size).toBe(2);
  const writers = (): (number | undefined)[] =>
    [folder.logLock, folder.lakeLock].map((lock) => readWriterRecord(lock)?.pid);
  const before = writers();
  const record = new SnapshotRecord(folder);
  scope.onEnd(() => record.stop());
  record.start();
  first.child.kill("SIGSTOP");
  // It holds the folder though it cannot answer: nobody may write beside its workers.
  const between = run(scope, folder, url, ["--events", "600"]);
  expect((await between.ended).code).toBe(1);
  expect(JSON.parse(between.stdout())).toMatchObject({ error: { code: "data-folder-in-use" } });
  expect(writers()).toEqual(before);
  first.child.kill("SIGKILL");
  await first.ended;
  await until("workers are gone", () => [...workers.values()].every((pid) => !isAlive(pid)), {
    limitMs: ORPHAN_LIMIT_MS,
  });
  const second = run(scope, folder, url, ["--events", "600"]);
  expect((await second.ended).code, second.stderr()).toBe(0);
  expect((await record.checkKept()).kept).toBeGreaterThan(0);
  await expectVerified(folder, null);
});

test(`C39: kills as fast as the button allows are each a hit or inconclusive, and nothing is left behind (seed ${SEED})`, async () => {
  const scope = testScope();
  const random = randomFrom(SEED);
  const run = await EngineRun.start({ scope });
  await run.untilStatus("commits came", (status) => (status.pipeline?.checkpoint ?? 0) > 50);
  let hits = 0;
  for (let press = 0; press < (IS_FULL ? 50 : 15);) {
    const worker = random() < 0.5 ? "pipeline" : "ingest";
    const before = run.host.started.filter(({ exit }) => exit?.signal === "SIGKILL").length;
    if (run.kill(worker)) {
      hits += 1;
      press += 1;
      // A hit is a process that really ended by SIGKILL, whatever moment of its start it was in.
      await until(
        "the kill hit",
        () => run.host.started.filter(({ exit }) => exit?.signal === "SIGKILL").length > before,
        {
          everyMs: 1,
        },
      );
    } else await delay(1);
  }
  await run.drained(1_200);
  await run.stop();
  expect(run.host.started.filter(({ exit }) => exit?.signal === "SIGKILL")).toHaveLength(hits);
  expect(run.host.started.filter(({ pid }) => pid !== null && isAlive(pid))).toEqual([]);
  await judgeRun(scope, run, { reference: null, servings: "at most", replays: true });
});
