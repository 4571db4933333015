import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../model/settings.ts";
import { openCatalogSession } from "../catalog/catalog-session.ts";
import { batchOfRows } from "../catalog/cells.ts";
import { COUNTS, openTestLake, recountAll, SOURCE, TEST_TABLES } from "../lake.test-support.ts";
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

test("rows that settle while catching up go to Parquet and leave no hot row; older snapshots read them open", async () => {
  await using lake = await openTestLake();
  const rows = (count: number, state: string, changes: number) =>
    batchOfRows(
      COUNTS,
      Array.from({ length: count }, (_, at) => [
        SOURCE,
        60_000_000,
        60_000,
        state,
        `wiki ${at}`,
        changes + at,
      ]),
    );
  const before = await lake.writer.commit({ ...lake.feed.next(30), upserts: [rows(700, "open", 1)] });
  // Another 20 were never open in the lake.
  const settling = { ...lake.feed.next(2_500, "catching-up"), upserts: [rows(720, "settled", 2)] };
  const after = await lake.writer.commit(settling);
  const { reader } = lake.writer;
  expect(reader.size(COUNTS, before.snapshotId)).toMatchObject({ rows: 700, openRows: 700, hotRows: 700 });
  expect(reader.size(COUNTS, after.snapshotId)).toMatchObject({
    rows: 720,
    openRows: 0,
    hotRows: 0,
    files: 1,
  });
  const wikis: string[] = [];
  for await (const batch of reader.scan(COUNTS)) wikis.push(...(batch.columns[4] ?? []).map(String));
  const inOrder = wikis.every((wiki, at) => at === 0 || (wikis[at - 1] ?? "") < wiki);
  expect(inOrder && wikis.length === 720).toBe(true);
  await recountAll(reader);

  // A record that is sent through again amends one of them.
  await lake.writer.commit(lake.feed.amend([[SOURCE, 60_000_000, 60_000, "amended", "wiki 7", 99]]));
  expect(reader.size(COUNTS)).toMatchObject({ rows: 720, openRows: 0 });
  await recountAll(reader);
});
