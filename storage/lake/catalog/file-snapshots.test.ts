import Database from "better-sqlite3";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLakeWriter } from "../lake-writer.ts";
import { openTestLake, recountAll, SOURCE, TEST_TABLES, type TestLake } from "../lake.test-support.ts";
import { lakeSettingsSchema } from "../../model/settings.ts";

function parquetFiles(lake: TestLake): readonly string[] {
  return readdirSync(lake.folder.lakeData, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".parquet"))
    .toSorted();
}

/** Opens the lake's folder, which is closed; a lake that opens where it must not is closed again. */
async function open(lake: TestLake): Promise<void> {
  const settings = lakeSettingsSchema.parse({});
  const writer = await openLakeWriter({ ...lake, tables: TEST_TABLES, settings });
  await writer.close();
}

/** Carries the write-ahead log into the file and takes a copy. */
function backUp(lake: TestLake): string {
  const copy = `${lake.folder.catalog}.backup`;
  const database = new Database(lake.folder.catalog);
  database.pragma("wal_checkpoint(PASSIVE)");
  database.close();
  copyFileSync(lake.folder.catalog, copy);
  return copy;
}

async function sealedCommit(lake: TestLake): Promise<void> {
  lake.clock.advance(5_000);
  await lake.writer.commit(lake.feed.next(40));
  await lake.writer.seal(lake.clock.nowMs());
}

test("refuses to begin a new catalog over a lake's files, every time, and leaves all of them", async () => {
  await using lake = await openTestLake({ unlinkDelayMs: 0 });
  await sealedCommit(lake);
  await lake.writer.close();
  const files = parquetFiles(lake);
  expect(files.length).toBeGreaterThan(1);
  const away = `${lake.folder.catalog}.away`;
  renameSync(lake.folder.catalog, away);
  const refused = {
    code: "store-unreadable",
    message: expect.stringContaining(`${lake.folder.catalog} is missing`) as string,
    details: { files: files.length, newestSnapshot: null },
  };
  for (const _attempt of [1, 2]) await expect(open(lake)).rejects.toMatchObject(refused);
  expect(existsSync(lake.folder.catalog)).toBe(false);
  writeFileSync(lake.folder.catalog, "");
  for (const _attempt of [1, 2]) await expect(open(lake)).rejects.toMatchObject(refused);
  expect(parquetFiles(lake)).toEqual(files);

  for (const end of ["", "-wal", "-shm"]) rmSync(`${lake.folder.catalog}${end}`, { force: true });
  renameSync(away, lake.folder.catalog);
  await lake.reopen();
  await recountAll(lake.writer.reader);
});

test("refuses a catalog that went back behind its files, and leaves all of them", async () => {
  await using lake = await openTestLake();
  await sealedCommit(lake);
  const backup = backUp(lake);
  await sealedCommit(lake);
  await sealedCommit(lake);
  const newest = Number(lake.writer.reader.latest());
  await lake.writer.close();
  const files = parquetFiles(lake);
  renameSync(lake.folder.catalog, `${lake.folder.catalog}.newer`);
  copyFileSync(backup, lake.folder.catalog);
  await expect(open(lake)).rejects.toMatchObject({
    code: "store-unreadable",
    message: expect.stringMatching(/went back.*Nothing was deleted/s) as string,
    details: { highestSnapshot: newest - 1 },
  });
  expect(parquetFiles(lake)).toEqual(files);

  renameSync(`${lake.folder.catalog}.newer`, lake.folder.catalog);
  await lake.reopen();
  await recountAll(lake.writer.reader);
});

test("goes on above a catalog that went back when its records can be processed again, and moves the newer files away, all of them", async () => {
  await using lake = await openTestLake();
  await sealedCommit(lake);
  const before = parquetFiles(lake);
  const backup = backUp(lake);
  const checkpoint = lake.writer.state(SOURCE)?.checkpoint;
  await sealedCommit(lake);
  await sealedCommit(lake);
  const newest = Number(lake.writer.reader.latest());
  await lake.writer.close();
  const newer = parquetFiles(lake).filter((name) => !before.includes(name));
  for (const end of ["-wal", "-shm"]) rmSync(`${lake.folder.catalog}${end}`, { force: true });
  copyFileSync(backup, lake.folder.catalog);

  const settings = lakeSettingsSchema.parse({});
  const asked: unknown[] = [];
  const openWith = (why: string | null) =>
    openLakeWriter({
      ...lake,
      tables: TEST_TABLES,
      settings,
      whyNotAgain: (checkpoints) => {
        asked.push([...checkpoints]);
        return why;
      },
    });
  await expect(openWith("The log begins at offset 900.")).rejects.toMatchObject({
    code: "store-unreadable",
    message: expect.stringContaining("The log begins at offset 900. Nothing was deleted") as string,
  });
  expect(parquetFiles(lake)).toEqual([...before, ...newer].toSorted());

  lake.writer = await openWith(null);
  expect(asked.at(-1)).toEqual([[SOURCE, checkpoint]]);
  const { wentBack } = lake.writer;
  expect(wentBack).toMatchObject({ setAside: { files: newer.length }, seenSnapshotId: newest - 1 });
  expect(wentBack?.continuesAt).toBeGreaterThan(newest);
  expect(parquetFiles(lake)).toEqual(before);
  const aside = readdirSync(wentBack?.setAside?.to ?? "", { recursive: true, encoding: "utf8" });
  expect(aside.filter((name) => name.endsWith(".parquet")).toSorted()).toEqual(newer);
  await recountAll(lake.writer.reader);
});

test("takes files of commits that were prepared ahead of a kill for orphans, but none of a newer catalog", async () => {
  await using lake = await openTestLake({ unlinkDelayMs: 0 });
  await lake.writer.commit(lake.feed.next(20));
  // Three commits ahead, none of which is published: what a kill leaves.
  for (const _ahead of [1, 2, 3]) await lake.writer.prepare(lake.feed.next(2_600, "catching-up"));
  const left = parquetFiles(lake);
  expect(left.length).toBeGreaterThanOrEqual(3);
  await lake.reopen();
  const stranger = "bronze/records/commit-000000999-0123456789abcdef.parquet";
  writeFileSync(join(lake.folder.lakeData, stranger), "x");
  const seconds = lake.clock.nowMs() / 1_000 - 3_600;
  for (const name of [...left, stranger]) utimesSync(join(lake.folder.lakeData, name), seconds, seconds);
  let swept = 0;
  for (;;) {
    const step = await lake.writer.maintain(lake.clock.nowMs());
    if (step.did === "nothing") break;
    if (step.did === "sweep") swept += step.files;
  }
  expect(swept).toBe(left.length);
  expect(parquetFiles(lake)).toEqual([stranger]);
});
