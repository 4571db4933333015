import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../model/settings.ts";
import { openCatalogSession } from "../catalog/catalog-session.ts";
import { openTestLake, recountAll, SOURCE, TEST_TABLES } from "../lake.test-support.ts";
import { NO_AMEND } from "./amend.ts";
import { prepareBookkeeping } from "./bookkeeping.ts";
import { commitTransaction } from "./commit.ts";
import { prepareFiles } from "./prepare-files.ts";

test("says that the disk is full, has changed nothing, and takes the same commit when there is space again", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(20));
  await lake.writer.close();
  const session = openCatalogSession({
    catalogPath: lake.folder.catalog,
    lakeData: lake.folder.lakeData,
    tables: TEST_TABLES,
    settings: DEFAULT_SETTINGS.lake,
    clock: lake.clock,
  });
  const books = prepareBookkeeping(session.database);
  const prepared = await prepareFiles(session, lake.feed.next(3_000));
  const pages = Number(session.database.pragma("page_count", { simple: true }));
  session.database.pragma(`max_page_count = ${pages + 2}`);
  const before = session.counters;
  expect(() => commitTransaction(session, books, prepared, NO_AMEND)).toThrow(/disk is full/);
  expect(session.counters).toBe(before);
  expect(books.checkpoint(SOURCE)).toBe(20);
  session.database.pragma("max_page_count = 1000000");
  commitTransaction(session, books, prepared, NO_AMEND);
  session.close();
  await lake.reopen();
  expect(lake.writer.state(SOURCE)?.checkpoint).toBe(3_020);
  await recountAll(lake.writer.reader);
});

test("leaves no file behind when Parquet can not be written", async () => {
  await using lake = await openTestLake();
  const { folder } = lake;
  const batch = lake.feed.next(30_000, "catching-up");
  const [records, discards] = batch.appends;
  if (records === undefined || discards === undefined) throw new Error("the feed has two append tables");
  const broken = { ...discards, columns: [[], [], []] };
  await expect(lake.writer.commit({ ...batch, appends: [records, broken] })).rejects.toThrow(/column|cells/);
  expect(readdirSync(join(folder.lakeData, "bronze/records"))).toEqual([]);
  await lake.writer.commit(batch);
  await recountAll(lake.writer.reader);
});
