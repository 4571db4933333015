import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { openTestLake } from "../lake.test-support.ts";
import { checkpointWal, tendCatalogFiles, walBytes } from "./wal.ts";

test("cuts the write-ahead log back after a foreign reader let go, and not while it reads (C18)", async () => {
  await using lake = await openTestLake();
  const { catalog } = lake.folder;
  await lake.writer.commit(lake.feed.next(10));
  const foreign = new Database(catalog);
  foreign.exec("BEGIN; SELECT count(*) FROM ducklake_snapshot");
  for (let commit = 0; commit < 6; commit += 1) await lake.writer.commit(lake.feed.next(300));
  const limits = { checkpointBytes: 200_000, truncateBytes: 400_000 };
  const grown = walBytes(catalog);
  expect(grown).toBeGreaterThan(limits.truncateBytes);

  const own = new Database(catalog);
  tendCatalogFiles(own, catalog, limits);
  expect(walBytes(catalog)).toBe(grown);
  expect(checkpointWal(own)).toBe(false);
  foreign.exec("COMMIT");
  foreign.close();
  tendCatalogFiles(own, catalog, limits);
  expect(walBytes(catalog)).toBe(0);
  own.close();
  await lake.writer.commit(lake.feed.next(10));
});

test("the write-ahead log is small again behind its checkpoint, so that not every commit has one", async () => {
  await using lake = await openTestLake();
  const { catalog } = lake.folder;
  const checkpointBytes = 4 * 1_048_576;
  const own = new Database(catalog);
  while (walBytes(catalog) < checkpointBytes) await lake.writer.commit(lake.feed.next(2_000));
  tendCatalogFiles(own, catalog);
  await lake.writer.commit(lake.feed.next(10));
  expect(walBytes(catalog)).toBeLessThan(checkpointBytes / 2);
  own.close();
});
