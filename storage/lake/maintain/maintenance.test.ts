import Database from "better-sqlite3";
import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dataFolderAt } from "../../files/data-folder.ts";
import { ownProcessStart } from "../../files/process-start.ts";
import { DEFAULT_SETTINGS } from "../../model/settings.ts";
import { openCatalogSession } from "../catalog/catalog-session.ts";
import type { FileRows } from "../commit/file-rows.ts";
import { openTestLake, recountAll, SOURCE, TEST_TABLES, type TestLake } from "../lake.test-support.ts";
import { sealLake } from "./seal.ts";
import { findOrphans } from "./sweep.ts";

async function settle(lake: TestLake): Promise<string[]> {
  const did: string[] = [];
  while (did.length < 1_000) {
    const result = await lake.writer.maintain(lake.clock.nowMs());
    if (result.did === "nothing") return did;
    did.push(result.did);
  }
  throw new Error("maintenance does not come to rest");
}

async function commits(lake: TestLake, count: number, everyMs: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    lake.clock.advance(everyMs);
    await lake.writer.commit(lake.feed.next(12));
  }
}

function filesOnDisk(lake: TestLake): readonly string[] {
  return readdirSync(lake.folder.lakeData, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".parquet"),
  );
}

test("reads every kept snapshot the same after expiry, pruning and sweeping, and keeps sums whole", async () => {
  await using lake = await openTestLake({ keepAllMs: 60_000, unlinkDelayMs: 30_000, sealRows: 200 });
  await commits(lake, 30, 5_000);
  await lake.writer.seal(lake.clock.nowMs());
  await commits(lake, 10, 5_000);
  const before = await recountAll(lake.writer.reader);
  const ledger = lake.writer.reader.ledger();
  const did = await settle(lake);
  expect(did).toEqual(expect.arrayContaining(["expire", "prune"]));
  const after = await recountAll(lake.writer.reader);
  expect(after.size).toBeLessThan(before.size / 2);
  expect([...before]).toEqual(expect.arrayContaining([...after]));
  expect(lake.writer.reader.ledger()).toEqual(ledger);

  const catalog = new Database(lake.folder.catalog, { readonly: true });
  const ranges = catalog
    .prepare<[], { from_offset: number; to_offset: number }>(
      `SELECT from_offset, to_offset FROM hw_commits WHERE source IS NOT NULL
       UNION ALL SELECT from_offset, to_offset FROM hw_expired_commits ORDER BY 1`,
    )
    .all();
  const seen = catalog
    .prepare(
      "SELECT max(end_snapshot) FROM ducklake_inlined_data_2_1 WHERE end_snapshot <= (SELECT min(snapshot_id) FROM ducklake_snapshot)",
    )
    .pluck()
    .get();
  catalog.close();
  expect(seen).toBeNull();
  let next = 1;
  for (const range of ranges) {
    expect(range.from_offset).toBe(next);
    next = range.to_offset + 1;
  }
  expect(next - 1).toBe(lake.feed.offset());
});

test("unlinks a released file only after the delay, never under a lease, and reports a missing one once", async () => {
  await using lake = await openTestLake({ keepAllMs: 10_000, unlinkDelayMs: 60_000 });
  await commits(lake, 2, 1_000);
  const sealPoint = await lake.writer.seal(lake.clock.nowMs());
  // Two more seal points in the same ten minutes: the second one expires with its file of open windows.
  await commits(lake, 2, 1_000);
  const second = await lake.writer.seal(lake.clock.nowMs());
  await commits(lake, 2, 1_000);
  await lake.writer.seal(lake.clock.nowMs());
  await commits(lake, 2, 30_000);
  const files = filesOnDisk(lake).length;
  await settle(lake);
  expect(lake.writer.reader.snapshots(100).map((snapshot) => snapshot.snapshotId)).toContain(
    sealPoint.snapshotId,
  );
  expect(filesOnDisk(lake)).toHaveLength(files);

  mkdirSync(lake.folder.leases, { recursive: true });
  const lease = join(lake.folder.leases, `${process.pid}.json`);
  const hold = (): void =>
    writeFileSync(
      lease,
      JSON.stringify({
        pid: process.pid,
        processStart: ownProcessStart(),
        renewedAtMs: lake.clock.nowMs(),
        snapshots: [second.snapshotId],
        logRanges: [],
      }),
    );
  lake.clock.advance(60_000);
  hold();
  expect(await settle(lake)).not.toContain("sweep");
  expect(filesOnDisk(lake)).toHaveLength(files);

  rmSync(lease);
  const released = filesOnDisk(lake).filter((name) =>
    name.includes(`open-windows-${String(second.snapshotId).padStart(9, "0")}`),
  );
  expect(released).toHaveLength(1);
  for (const name of released) rmSync(join(lake.folder.lakeData, name));
  lake.clock.advance(60_000);
  expect(await settle(lake)).toContain("sweep");
  lake.clock.advance(60_000);
  await settle(lake);
  const catalog = new Database(lake.folder.catalog, { readonly: true });
  const missing = catalog
    .prepare("SELECT count(*) FROM hw_maintenance WHERE detail LIKE 'missing:%'")
    .pluck()
    .get();
  const scheduled = catalog
    .prepare("SELECT count(*) FROM ducklake_files_scheduled_for_deletion")
    .pluck()
    .get();
  catalog.close();
  expect({ missing, scheduled }).toEqual({ missing: 1, scheduled: 0 });
  await recountAll(lake.writer.reader);
});

test("keeps a leased snapshot, all of it, while the lease lasts", async () => {
  await using lake = await openTestLake({ keepAllMs: 10_000 });
  await commits(lake, 3, 1_000);
  const [leased] = lake.writer.reader.snapshots(1);
  await commits(lake, 3, 20_000);
  mkdirSync(lake.folder.leases, { recursive: true });
  const lease = join(lake.folder.leases, `${process.pid}.json`);
  writeFileSync(
    lease,
    JSON.stringify({
      pid: process.pid,
      processStart: ownProcessStart(),
      renewedAtMs: lake.clock.nowMs(),
      snapshots: [leased?.snapshotId],
      logRanges: [],
    }),
  );
  await settle(lake);
  const ids = lake.writer.reader.snapshots(100).map((snapshot) => snapshot.snapshotId);
  expect(ids).toEqual([ids[0], leased?.snapshotId]);
  await recountAll(lake.writer.reader);
  rmSync(lease);
  lake.clock.advance(10_000);
  await settle(lake);
  expect(lake.writer.reader.snapshots(100)).toHaveLength(1);
  await recountAll(lake.writer.reader);
});

test("keeps a pinned snapshot for ever", async () => {
  await using lake = await openTestLake({ keepAllMs: 10_000 });
  await commits(lake, 3, 1_000);
  const pin = await lake.writer.pin("before the experiment");
  for (let span = 0; span < 8; span += 1) {
    await commits(lake, 1, 5 * 86_400_000);
    await lake.writer.seal(lake.clock.nowMs());
    await settle(lake);
  }
  const ids = lake.writer.reader.snapshots(1_000).map((snapshot) => snapshot.snapshotId);
  expect(ids).toContain(pin);
  // Seal points of the last 30 days, the last commit, what began again behind the last seal point, and the pin: of 26 made.
  expect(ids.length).toBeLessThanOrEqual(10);
  expect(lake.writer.sealedOffset(SOURCE)).toBe(lake.feed.offset());
  await recountAll(lake.writer.reader);
});

test("takes no live file for an orphan when the folder is given with a trailing slash, through a symlink, with /./ in it (C17)", async () => {
  await using lake = await openTestLake({ unlinkDelayMs: 0 });
  await lake.writer.commit(lake.feed.next(2_600, "catching-up"));
  await lake.writer.seal(lake.clock.nowMs());
  const prepared = await lake.writer.prepare(lake.feed.next(2_600, "catching-up"));
  const link = `${lake.folder.root}-link`;
  symlinkSync(lake.folder.root, link);
  await lake.writer.close();
  const orphan = join(lake.folder.lakeData, "bronze/records/left-by-a-kill.parquet");
  const half = join(lake.folder.lakeData, "gold/counts/left-by-a-kill.parquet.tmp");
  for (const path of [orphan, half]) writeFileSync(path, "");
  const now = Date.now() + 120_000;
  for (const root of [lake.folder.root, `${link}/`, `${link}/./`]) {
    const folder = dataFolderAt(root);
    const session = openCatalogSession({
      catalogPath: folder.catalog,
      lakeData: `${root}/./lake/data/`,
      tables: TEST_TABLES,
      settings: DEFAULT_SETTINGS.lake,
      clock: lake.clock,
    });
    const pending = new Set(prepared.files.map((file) => file.name));
    const orphans = await findOrphans(session, now, 60_000, pending);
    session.close();
    expect(orphans.map((found) => found.path).toSorted((a, b) => a.localeCompare(b))).toEqual([orphan, half]);
  }
  rmSync(link);
  await lake.reopen();
});

test("sweeps orphans by age and leaves what another sweep already took", async () => {
  await using lake = await openTestLake({ unlinkDelayMs: 0 });
  await lake.writer.commit(lake.feed.next(2_600, "catching-up"));
  const old = join(lake.folder.lakeData, "main/discards/old.parquet");
  const young = join(lake.folder.lakeData, "main/discards/young.parquet.tmp");
  for (const path of [old, young]) writeFileSync(path, "x");
  const seconds = lake.clock.nowMs() / 1_000;
  utimesSync(old, seconds - 61, seconds - 61);
  utimesSync(young, seconds - 59, seconds - 59);
  expect(await settle(lake)).toEqual(["sweep"]);
  expect(readdirSync(join(lake.folder.lakeData, "main/discards"))).toEqual(["young.parquet.tmp"]);
  await recountAll(lake.writer.reader);
});

test("refuses to seal when a written file does not read back as it was, and names none of its files", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(50));
  const before = await recountAll(lake.writer.reader);
  await lake.writer.close();
  const session = openCatalogSession({
    catalogPath: lake.folder.catalog,
    lakeData: lake.folder.lakeData,
    tables: TEST_TABLES,
    settings: DEFAULT_SETTINGS.lake,
    clock: lake.clock,
  });
  const forgetful: FileRows = {
    // oxlint-disable-next-line require-yield -- a reader that finds nothing
    async *read() {
      await Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  await expect(sealLake(session, forgetful)).rejects.toMatchObject({ code: "seal-mismatch", kind: "fatal" });
  session.close();
  expect(filesOnDisk(lake)).toEqual([]);
  await lake.reopen();
  expect(await recountAll(lake.writer.reader)).toEqual(before);
});

/** Steps until the seal is made; `meanwhile` runs once, as soon as the seal has written a file into `folder`. */
async function sealBesideCommits(
  lake: TestLake,
  folder: string,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  let steps = 0;
  let isStill = true;
  for (; steps < 10_000; steps += 1) {
    const { did } = await lake.writer.maintain(lake.clock.nowMs());
    if (did === "seal") return steps;
    if (isStill && readdirSync(join(lake.folder.lakeData, folder)).length > 0) {
      isStill = false;
      await meanwhile();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error("the seal does not come to its end");
}

test("goes on committing while a large seal writes its files, and seals all of it", async () => {
  await using lake = await openTestLake({ sealRows: 2_000 });
  await lake.writer.commit(lake.feed.next(2_600));
  const steps = await sealBesideCommits(lake, "bronze/records", () => lake.writer.commit(lake.feed.next(40)));
  expect(steps).toBeGreaterThan(0);
  expect(lake.writer.sealedOffset(SOURCE)).toBe(2_640);
  expect(lake.writer.reader.snapshots(4).map((snapshot) => snapshot.kind)).toEqual([
    "seal",
    "seal",
    "commit",
    "commit",
  ]);
  await recountAll(lake.writer.reader);
});

test("writes a large seal's files again when an amend ended one of their rows meanwhile", async () => {
  await using lake = await openTestLake({ sealRows: 2_000 });
  await lake.writer.commit(lake.feed.next(2_600));
  lake.clock.advance(180_000);
  await lake.writer.commit(lake.feed.next(10));
  const [start = "", wiki = ""] = (lake.feed.settledKeys()[0] ?? "").split("/");
  await sealBesideCommits(lake, "gold/counts", () =>
    lake.writer.commit(lake.feed.amend([[SOURCE, Number(start), 60_000, "amended", wiki, 7]])),
  );
  await recountAll(lake.writer.reader);
  expect(filesOnDisk(lake)).toHaveLength(4);
});

test("leaves no file of a seal that was under way when the lake is closed", async () => {
  await using lake = await openTestLake({ sealRows: 2_000 });
  await lake.writer.commit(lake.feed.next(2_600));
  expect((await lake.writer.maintain(lake.clock.nowMs())).did).toBe("nothing");
  await lake.reopen();
  expect(filesOnDisk(lake)).toEqual([]);
  await recountAll(lake.writer.reader);
});

test("says that the catalog is held while another program writes, and goes on where it was afterwards", async () => {
  await using lake = await openTestLake({ keepAllMs: 10_000 });
  await commits(lake, 6, 5_000);
  const other = new Database(lake.folder.catalog);
  other.exec("BEGIN IMMEDIATE");
  await expect(lake.writer.maintain(lake.clock.nowMs())).rejects.toMatchObject({ code: "catalog-held" });
  await expect(lake.writer.seal(lake.clock.nowMs())).rejects.toMatchObject({ code: "catalog-held" });
  expect(filesOnDisk(lake)).toEqual([]);
  other.exec("ROLLBACK");
  other.close();
  expect(await settle(lake)).toEqual(expect.arrayContaining(["expire", "prune"]));
  await recountAll(lake.writer.reader);
});
