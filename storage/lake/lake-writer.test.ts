import Database from "better-sqlite3";
import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dataFolderAt } from "../files/data-folder.ts";
import { toOffset } from "../model/brand.ts";
import { lakeSettingsSchema } from "../model/settings.ts";
import { openLakeWriter } from "./lake-writer.ts";
import {
  COUNTS,
  openTestLake,
  RECORDS,
  recount,
  recountAll,
  SOURCE,
  TEST_TABLES,
} from "./lake.test-support.ts";

test("publishes rows, checkpoint and ledger of a commit together", async () => {
  await using lake = await openTestLake();
  const first = await lake.writer.commit(lake.feed.next(40));
  const second = await lake.writer.commit(lake.feed.next(30));
  const { reader } = lake.writer;

  expect(second.snapshotId).toBe(first.snapshotId + 1);
  expect(second.commitTimeUs).toBeGreaterThan(first.commitTimeUs);
  expect(lake.writer.state(SOURCE)?.checkpoint).toBe(70);
  expect((await recount(reader, RECORDS, second.snapshotId)).rows).toBe(65);
  const bronze = reader.ledger(first.snapshotId).find((entry) => entry.hop === "bronze");
  expect(bronze?.count).toBe(37);
  await recountAll(reader);
});

test("refuses a batch that does not begin behind the checkpoint, and changes nothing", async () => {
  await using lake = await openTestLake();
  const batch = lake.feed.next(5);
  await lake.writer.commit(batch);
  await expect(lake.writer.commit(batch)).rejects.toMatchObject({ code: "worker-protocol" });
  lake.feed.next(1);
  await expect(lake.writer.commit(lake.feed.next(1))).rejects.toMatchObject({ kind: "fatal" });
  expect(lake.writer.state(SOURCE)?.checkpoint).toBe(5);
  await recountAll(lake.writer.reader);
});

test("keeps snapshot times strictly increasing through a seal and a clock that steps back", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(20));
  lake.clock.stepWall(-3_600_000);
  await lake.writer.commit(lake.feed.next(20));
  await lake.writer.seal(lake.clock.nowMs());
  await lake.writer.commit(lake.feed.next(20));
  const times = lake.writer.reader.snapshots(100).map((snapshot) => snapshot.commitTimeUs);
  expect(times.length).toBeGreaterThanOrEqual(6);
  for (const [index, time] of times.slice(1).entries()) expect(time).toBeLessThan(times[index] ?? 0);
});

test("moves every hot row into files at a seal point and lets open windows go on behind it", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(60));
  const before = await recountAll(lake.writer.reader);
  const seal = await lake.writer.seal(lake.clock.nowMs());
  expect(seal).toMatchObject({ did: "seal", rows: 64, files: 3 });
  const { reader } = lake.writer;
  const [restart, point] = reader.snapshots(2);
  expect(point).toMatchObject({ snapshotId: seal.snapshotId, sealed: true });
  expect(restart).toMatchObject({ kind: "seal", sealed: false });
  for (const table of reader.tables(point?.snapshotId)) {
    expect(reader.size(table, point?.snapshotId).hotRows).toBe(0);
  }
  expect(reader.size(COUNTS).hotRows).toBe(4);
  expect(lake.writer.hotRows()).toBe(4);
  expect(lake.writer.sealedOffset(SOURCE)).toBe(60);
  const after = await recountAll(reader);
  expect([...after]).toEqual(expect.arrayContaining([...before]));
  expect((await lake.writer.seal(lake.clock.nowMs())).did).toBe("nothing");
});

test("seals when enough rows are hot or the oldest commit is old enough, and not before", async () => {
  await using lake = await openTestLake({ sealRows: 100, sealAgeMs: 600_000 });
  await lake.writer.commit(lake.feed.next(50));
  expect((await lake.writer.maintain(lake.clock.nowMs())).did).toBe("nothing");
  await lake.writer.commit(lake.feed.next(60));
  expect((await lake.writer.maintain(lake.clock.nowMs())).did).toBe("seal");
  await lake.writer.commit(lake.feed.next(1));
  lake.clock.advance(599_000);
  expect((await lake.writer.maintain(lake.clock.nowMs())).did).toBe("nothing");
  // The second commit's time is a few microseconds ahead of a clock that stands still.
  lake.clock.advance(1_001);
  expect((await lake.writer.maintain(lake.clock.nowMs())).did).toBe("seal");
});

test("writes a large catching-up batch to Parquet and a small table's rows hot", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(2_500, "catching-up"));
  const { reader } = lake.writer;
  expect(reader.size(RECORDS)).toMatchObject({ hotRows: 0, files: 1, rows: 2_308 });
  expect(lake.writer.hotRows()).toBe(192 + 4);
  await recountAll(reader);
});

test("amends settled windows in files without touching what older snapshots read", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(60));
  lake.clock.advance(180_000);
  await lake.writer.commit(lake.feed.next(10));
  await lake.writer.seal(lake.clock.nowMs());
  const before = await recountAll(lake.writer.reader);
  const [key = ""] = lake.feed.settledKeys();
  const [start = "", wiki = ""] = key.split("/");
  const amended = await lake.writer.commit(
    lake.feed.amend([
      [SOURCE, Number(start), 60_000, "amended", wiki, 777],
      [SOURCE, Number(start), 60_000, "amended", "newwiki", 1],
    ]),
  );
  const { reader } = lake.writer;
  const after = await recountAll(reader);
  expect([...after]).toEqual(expect.arrayContaining([...before]));
  const amendedRows = new Map<unknown, unknown>();
  for await (const batch of reader.scan(COUNTS, { at: amended.snapshotId })) {
    for (let row = 0; row < batch.rowCount; row += 1) {
      if (batch.columns[3]?.[row] === "amended")
        amendedRows.set(batch.columns[4]?.[row], batch.columns[5]?.[row]);
    }
  }
  expect(amendedRows).toEqual(
    new Map<unknown, unknown>([
      [wiki, 777],
      ["newwiki", 1],
    ]),
  );
  expect((await recount(reader, COUNTS, amended.snapshotId)).rows).toBe(4 + 4 + 1);
  expect(reader.snapshots(1)[0]?.kind).toBe("amend");
  await lake.writer.seal(lake.clock.nowMs());
  await recountAll(reader);
});

test("says that the catalog is held by another program, and commits the same batch afterwards", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(5));
  const batch = lake.feed.next(3_000, "catching-up");
  const other = new Database(lake.folder.catalog);
  other.exec("BEGIN IMMEDIATE");
  await expect(lake.writer.commit(batch)).rejects.toMatchObject({ code: "catalog-held", kind: "transient" });
  expect(readdirSync(join(lake.folder.lakeData, "bronze/records"))).toEqual([]);
  other.exec("COMMIT");
  other.close();
  await lake.writer.commit(batch);
  expect(lake.writer.state(SOURCE)?.checkpoint).toBe(3_005);
  await recountAll(lake.writer.reader);
});

test("stops when the catalog was replaced by another file", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(5));
  renameSync(lake.folder.catalog, `${lake.folder.catalog}.old`);
  cpSync(`${lake.folder.catalog}.old`, lake.folder.catalog);
  await expect(lake.writer.commit(lake.feed.next(5))).rejects.toMatchObject({ code: "file-replaced" });
});

test("stops when another program has written a snapshot", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(5));
  const other = new Database(lake.folder.catalog);
  other.exec(
    "INSERT INTO ducklake_snapshot SELECT snapshot_id + 1, '2030-01-01 00:00:00+00', schema_version, next_catalog_id, next_file_id FROM ducklake_snapshot ORDER BY 1 DESC LIMIT 1",
  );
  other.close();
  await expect(lake.writer.commit(lake.feed.next(5))).rejects.toMatchObject({ code: "store-unreadable" });
});

test("lets only one writer open a lake", async () => {
  await using lake = await openTestLake();
  const { folder, clock } = lake;
  const settings = lakeSettingsSchema.parse({});
  await expect(openLakeWriter({ folder, tables: TEST_TABLES, settings, clock })).rejects.toMatchObject({
    code: "writer-lock-held",
  });
  await lake.writer.commit(lake.feed.next(1));
});

test("finds everything again after closing, also in a folder that was moved and through a symlink", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(2_600, "catching-up"));
  await lake.writer.commit(lake.feed.next(20));
  await lake.writer.seal(lake.clock.nowMs());
  await lake.writer.commit(lake.feed.next(20));
  const before = await recountAll(lake.writer.reader);
  await lake.writer.close();
  const elsewhere = mkdtempSync(join(tmpdir(), "highwater-moved-"));
  try {
    renameSync(lake.folder.root, join(elsewhere, "moved"));
    symlinkSync(join(elsewhere, "moved"), join(elsewhere, "link"));
    await lake.reopen(`${elsewhere}/./link/`);
    expect(await recountAll(lake.writer.reader)).toEqual(before);
    const catalog = new Database(dataFolderAt(`${elsewhere}/link`).catalog, { readonly: true });
    const path = catalog.prepare("SELECT value FROM ducklake_metadata WHERE key = 'data_path'").pluck().get();
    catalog.close();
    expect(path).toBe(`${elsewhere}/link/lake/data/`);
    await lake.writer.commit(lake.feed.next(20));
    await recountAll(lake.writer.reader);
  } finally {
    await lake.writer.close();
    rmSync(elsewhere, { recursive: true, force: true });
    await lake.reopen(join(lake.folder.root, "again"));
  }
});

test("keeps text that came as bytes as text, and an offset that was prepared ahead in order", async () => {
  await using lake = await openTestLake();
  const first = await lake.writer.prepare(lake.feed.next(3_000, "catching-up"));
  const second = await lake.writer.prepare(lake.feed.next(3_000, "catching-up"));
  await expect(lake.writer.commitPrepared(second)).rejects.toMatchObject({ code: "worker-protocol" });
  await lake.writer.commitPrepared(first);
  await lake.writer.commitPrepared(second);
  await lake.writer.commit(lake.feed.next(13));
  const catalog = new Database(lake.folder.catalog, { readonly: true });
  const types = catalog.prepare("SELECT DISTINCT typeof(raw) FROM ducklake_inlined_data_2_1").pluck().all();
  catalog.close();
  expect(types).toEqual(["text"]);
  expect(lake.writer.state(SOURCE)?.checkpoint).toBe(toOffset(6_013));
  await recountAll(lake.writer.reader);
});

test("leaves everything as it was when a seal can not write its files", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(30));
  const folder = join(lake.folder.lakeData, "main/discards");
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "a file where the folder should be");
  await expect(lake.writer.seal(lake.clock.nowMs())).rejects.toThrow(/ENOTDIR|EEXIST/);
  expect(readdirSync(join(lake.folder.lakeData, "bronze/records"))).toEqual([]);
  await recountAll(lake.writer.reader);
});
