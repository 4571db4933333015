import Database from "better-sqlite3";
import { copyFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openTestLake, SOURCE, type TestLake } from "../lake.test-support.ts";

/** The sealed offset that is left when the write-ahead log is lost. */
function sealedInFile(lake: TestLake): number {
  const alone = `${lake.folder.catalog}.alone`;
  copyFileSync(lake.folder.catalog, alone);
  const database = new Database(alone);
  const sealed = database.prepare<[], number>("SELECT max(sealed_offset) FROM hw_seal_offsets").pluck().get();
  database.close();
  return sealed ?? 0;
}

test("says that offsets are sealed only once the seal's commit is in the database file itself", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(20));
  await lake.writer.seal(lake.clock.nowMs());
  expect(lake.writer.sealedOffset(SOURCE)).toBe(20);
  expect(sealedInFile(lake)).toBe(20);

  const foreign = new Database(lake.folder.catalog, { readonly: true });
  foreign.exec("BEGIN; SELECT count(*) FROM ducklake_snapshot");
  await lake.writer.commit(lake.feed.next(30));
  await lake.writer.seal(lake.clock.nowMs());
  await lake.writer.maintain(lake.clock.nowMs());
  expect(sealedInFile(lake)).toBe(20);
  expect(lake.writer.sealedOffset(SOURCE)).toBe(20);

  foreign.exec("COMMIT");
  foreign.close();
  expect((await lake.writer.maintain(lake.clock.nowMs())).did).toBe("nothing");
  expect(lake.writer.sealedOffset(SOURCE)).toBe(50);
  expect(sealedInFile(lake)).toBe(50);
});

test("knows the sealed offset again after a restart, and says it only when it is in the database file", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(20));
  const foreign = new Database(lake.folder.catalog, { readonly: true });
  foreign.exec("BEGIN; SELECT count(*) FROM ducklake_snapshot");
  await lake.writer.seal(lake.clock.nowMs());
  await lake.reopen();
  expect(lake.writer.sealedOffset(SOURCE)).toBe(0);
  foreign.exec("COMMIT");
  foreign.close();
  await lake.reopen();
  expect(sealedInFile(lake)).toBe(20);
  expect(lake.writer.sealedOffset(SOURCE)).toBe(20);
});
