import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#storage/files/temporary-folder.test-support.ts";
import { DiskWatch, lookAt } from "./disk-usage.ts";

test("sums log, lake and the rest of a data folder, and tells the disk's free space", async () => {
  const { path } = temporaryFolder();
  await mkdir(join(path, "log", "demo"), { recursive: true });
  await mkdir(join(path, "lake", "data", "bronze"), { recursive: true });
  await mkdir(join(path, "workspace"));
  await writeFile(join(path, "log", "demo", "1.sqlite"), "x".repeat(300));
  await writeFile(join(path, "lake", "data", "bronze", "1.parquet"), "x".repeat(20));
  await writeFile(join(path, "workspace", "settings.json"), "{}");
  const usage = await lookAt(path, null);
  expect(usage).toMatchObject({ logBytes: 300, lakeBytes: 20, otherBytes: 2, isWhole: true });
  expect(usage.freeBytes).toBeGreaterThan(0);
  expect(usage.totalBytes).toBeGreaterThan(usage.freeBytes);
});

test("a look between two sums keeps the sizes and takes the new free space", async () => {
  const { path } = temporaryFolder();
  const known = await lookAt(path, null);
  const later = await lookAt(path, { ...known, logBytes: 77, freeBytes: 1 });
  expect(later.logBytes).toBe(77);
  expect(later.freeBytes).toBeGreaterThan(1);
});

test("a folder that is gone is not known, and no error", async () => {
  const { path } = temporaryFolder();
  const watch = new DiskWatch(path, () => undefined);
  await rm(path, { recursive: true });
  await expect.poll(() => watch.look().then(() => watch.usage)).toBeNull();
  watch.close();
});
