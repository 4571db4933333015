import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { openDataFolder } from "#storage/files/open-data-folder.ts";
import { dumpLake, rowsOf } from "../support/dump-lake.ts";
import { EngineRun } from "../support/engine-run.ts";
import { judgeRun } from "../support/judge-run.ts";
import { until } from "../support/poll.ts";
import { expectKeptReadAlike } from "../support/read-kept.ts";
import { testScope } from "../support/scope.ts";
import { IS_FULL } from "../support/seed.ts";

/** Beyond this the file itself is cut back (storage/lake/maintain/wal.ts). */
const WAL_LIMIT_BYTES = 24 * 1_048_576;
/** What SQLite may keep of it (journal_size_limit in storage/lake/catalog/open-catalog.ts). */
const WAL_USUAL_BYTES = 16 * 1_048_576;

function parquetFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".parquet"),
  );
}

/** What anybody who points a DuckDB of their own at the folder reads. */
async function countRowsFromOutside(lakeData: string): Promise<number> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    const sql = `SELECT count(*)::INTEGER AS n FROM read_parquet('${lakeData}/**/*.parquet', union_by_name = true)`;
    const rows = await connection.runAndReadAll(sql);
    return Number(rows.getRows()[0]?.[0]);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Kills during seals: a fifth in CI, all with HIGHWATER_FULL=1. */
const SEAL_KILLS = IS_FULL ? 20 : 4;
const SEAL_PLACES = [
  "seal-files-written",
  "parquet-mid-write",
  "parquet-before-rename",
  "seal-after",
] as const;

test("C17: through a symbolic link, /./ and a trailing slash no live file is taken for an orphan, kills in seals leave no half file, a missing file is reported once and stops no sweep", async () => {
  const scope = testScope();
  const folder = join(scope.folder(), "data");
  mkdirSync(folder);
  symlinkSync(folder, `${folder}-link`);
  const root = `${folder}-link/./`;
  const events = 1_500 * (SEAL_KILLS / 4);
  const run = await EngineRun.start({ scope, root, feed: { rate: 100, events } });
  await run.untilStatus("a first seal", ({ pipeline }) => (pipeline?.sealedOffset ?? 0) > 0);
  const orphans: string[] = [];
  for (let kill = 0; kill < SEAL_KILLS; kill += 1) {
    // Old enough for the sweep of orphans that each start makes: only their names protect live files from it.
    orphans.push(plantOrphan(run.folder.lakeData, kill));
    ageFiles(run.folder.lakeData);
    await run.killAt("pipeline", SEAL_PLACES[kill % SEAL_PLACES.length] ?? "seal-after", 1);
    await run.untilRunning("pipeline");
    expect(namedButGone(run)).toEqual([]);
    expect(
      parquetFiles(run.folder.lakeData).filter(
        (file) => !file.includes("planted-") && isHalfFile(join(run.folder.lakeData, file)),
      ),
    ).toEqual([]);
  }
  await until("the orphans are swept", () => !orphans.some((path) => existsSync(path)), {
    explain: () => run.explain(),
  });
  const byHand = await until("a file is scheduled for deletion, and goes by hand", () =>
    deleteOneReleasedFile(run),
  );
  const missingAt = await until(
    "the missing file is reported",
    () => sweepsSaying(run, `missing: ${byHand}`)[0],
  );
  await until("the sweep goes on", () => sweepsSaying(run, "released").some((id) => id > missingAt + 1), {
    explain: () => run.explain(),
  });
  await run.drained(events);
  await run.stop();
  expect(sweepsSaying(run, `missing: ${byHand}`)).toEqual([missingAt]);
  expect(namedButGone(run)).toEqual([]);
  expect(await expectKeptReadAlike(run.folder, 5)).toBeGreaterThan(1);
  await judgeRun(scope, run, { reference: null, servings: "exact", replays: true });
  expect(await countRowsFromOutside(run.folder.lakeData)).toBeGreaterThan(1_500);
});

function plantOrphan(lakeData: string, kill: number): string {
  const path = join(lakeData, "bronze", "recentchange", `planted-${kill}.parquet`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  return path;
}

function ageFiles(lakeData: string): void {
  const anHourAgo = new Date(Date.now() - 3_600_000);
  for (const file of parquetFiles(lakeData)) {
    try {
      utimesSync(join(lakeData, file), anHourAgo, anHourAgo);
    } catch (error) {
      // Swept since it was listed.
      if (existsSync(join(lakeData, file))) throw error;
    }
  }
}

/** Files that are not there although the catalog names them: before they were looked for, and still afterwards. */
function namedButGone(run: EngineRun): readonly string[] {
  const before = namedFiles(run);
  expect(before.length).toBeGreaterThan(0);
  const gone = before.filter((name) => !existsSync(join(run.folder.lakeData, name)));
  const after = new Set(gone.length === 0 ? [] : namedFiles(run));
  return gone.filter((name) => after.has(name));
}

function namedFiles(run: EngineRun): readonly string[] {
  const catalog = new Database(run.folder.catalog, { readonly: true });
  try {
    return catalog
      .prepare<[], string>(
        `SELECT s.path || t.path || f.path FROM ducklake_data_file f
         JOIN ducklake_table t USING (table_id) JOIN ducklake_schema s USING (schema_id)`,
      )
      .pluck()
      .all();
  } finally {
    catalog.close();
  }
}

/** Ids of the maintenance log's entries about sweeps with this detail, oldest first. */
function sweepsSaying(run: EngineRun, detail: string): readonly number[] {
  const catalog = new Database(run.folder.catalog, { readonly: true });
  try {
    const sql = "SELECT id FROM hw_maintenance WHERE did = 'sweep' AND detail = ? ORDER BY id";
    return catalog.prepare<[string], number>(sql).pluck().all(detail);
  } finally {
    catalog.close();
  }
}

/** Gone meanwhile is not half there. */
function isHalfFile(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 100) < 100;
}

/** Its path below the data folder, or null while no file is scheduled. */
function deleteOneReleasedFile(run: EngineRun): string | null {
  const catalog = new Database(run.folder.catalog, { readonly: true });
  try {
    const paths = catalog.prepare<[], string>("SELECT path FROM hw_released_files").pluck().all();
    const path = paths.find((each) => existsSync(join(run.folder.lakeData, each)));
    if (path === undefined) return null;
    rmSync(join(run.folder.lakeData, path));
    return path;
  } finally {
    catalog.close();
  }
}

test("C18: while another program holds the catalog commits wait, ingest goes on and nobody restarts; afterwards the WAL shrinks", async () => {
  const scope = testScope();
  const run = await EngineRun.start({ scope, feed: { rate: 600, eventRate: 100, events: 9_000 } });
  await run.untilStatus("commits came", ({ pipeline }) => (pipeline?.checkpoint ?? 0) > 100);
  const wal = `${run.folder.catalog}-wal`;
  const foreign = new Database(run.folder.catalog);
  scope.onEnd(() => void foreign.close());

  foreign.exec("BEGIN");
  foreign.prepare("SELECT count(*) FROM ducklake_snapshot").get();
  await until(
    "commits go on beside an open read, and the WAL grows beyond its limit",
    () => statSync(wal).size > WAL_LIMIT_BYTES,
    {
      explain: () => `${statSync(wal).size} bytes\n${run.explain()}`,
    },
  );
  foreign.exec("COMMIT");
  await until("the WAL shrank without a restart", () => statSync(wal).size <= WAL_USUAL_BYTES, {
    limitMs: 30_000,
    explain: () => `${statSync(wal).size} bytes\n${run.explain()}`,
  });

  foreign.exec("BEGIN IMMEDIATE");
  const held = await run.untilStatus(
    "the hold is told",
    ({ pipeline }) => typeof pipeline?.catalogHeldSinceMs === "number",
  );
  const [head, checkpoint] = [held.ingest?.head ?? 0, held.pipeline?.checkpoint ?? 0];
  const later = await run.untilStatus("ingest goes on", ({ ingest }) => (ingest?.head ?? 0) > head + 300);
  expect(later.pipeline?.checkpoint).toBe(checkpoint);
  expect(later.banners.map(({ title }) => title).join()).toMatch(/Another program holds the catalog since/);
  foreign.exec("COMMIT");
  await run.untilStatus("the hold is over", ({ pipeline }) => pipeline?.catalogHeldSinceMs === null);
  await run.drained(9_000);
  foreign.close();
  await run.stop();
  await judgeRun(scope, run, { reference: null, servings: "exact", replays: false });
});

test("C19: a folder on a network file system is refused by name before anything is written", () => {
  const scope = testScope();
  const root = join(scope.folder(), "share");
  const mountOf = () => ({ point: root, type: "nfs4" });
  expect(() => openDataFolder(root, { mountOf })).toThrow(/nfs4/);
  expect(existsSync(root)).toBe(false);
  expect(openDataFolder(root, { mountOf: () => ({ point: "/", type: "ext4" }) }).root).toBe(root);
});

test("a log that was lost while the lake stayed is noticed: no offset is given twice and the loss is said", async () => {
  const scope = testScope();
  const first = await EngineRun.start({ scope, feed: { rate: 0, events: 600 } });
  await first.drained(600);
  await first.stop();
  const before = await dumpLake(first.folder);
  const checkpoint = Math.max(
    ...["bronze.recentchange", "main.discards", "main.control", "main.dead_letters"].flatMap((table) =>
      rowsOf(before, table).map((row) => Number(row["log_offset"])),
    ),
  );
  rmSync(first.folder.logRoot, { recursive: true });
  const again = await EngineRun.start({ scope, root: first.folder.root, feed: { rate: 0, events: 900 } });
  await again.drained(900);
  await again.stop();
  const after = await dumpLake(first.folder);
  const shrunk = [...before].filter(([table, rows]) => rowsOf(after, table).length < rows.length);
  expect(shrunk.map(([table]) => table)).toEqual([]);
  const notes = rowsOf(after, "main.control").filter((row) => String(row["body"]).includes("log-tail-lost"));
  expect(notes).toHaveLength(1);
  expect(Number(notes[0]?.["log_offset"])).toBeGreaterThan(checkpoint);
  const ids = rowsOf(after, "bronze.recentchange").map((row) => row["id"]);
  expect(new Set(ids).size).toBe(ids.length);
});
