import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "#storage/files/temporary-folder.test-support.ts";
import { DEFAULT_SETTINGS } from "#storage/model/settings.ts";
import { SettingsFile } from "./settings-file.ts";
import type { SettingsWish } from "./wish.ts";

function setUp(text: string | null = null) {
  const folder = temporaryFolder().path;
  const path = join(folder, "settings.json");
  if (text !== null) writeFileSync(path, text);
  const told: SettingsWish[] = [];
  const file = new SettingsFile(path, (wish) => void told.push(wish));
  onTestFinished(() => file.close());
  return { folder, path, file, told };
}

const LATENESS = JSON.stringify({ result: { allowedLatenessMs: 10_000 } });

test("a valid text is written as it is and told once", async () => {
  const { path, file, told } = setUp();
  await file.save(LATENESS);
  file.look();
  expect(readFileSync(path, "utf8")).toBe(LATENESS);
  expect(told.map(({ settings }) => settings.result.allowedLatenessMs)).toEqual([10_000]);
  expect(file.wish).toMatchObject({ hasWish: true, problem: null });
});

test("a text with mistakes is refused whole, each mistake with its place, and the file stays", async () => {
  const { path, file, told } = setUp(LATENESS);
  const bad = JSON.stringify({ result: { allowedLatenessMs: -1 }, lake: { nonsense: 1 } });
  await expect(file.save(bad)).rejects.toMatchObject({
    code: "usage",
    message: expect.stringMatching(/allowedLatenessMs.*nonsense/s),
  });
  await expect(file.save("{")).rejects.toMatchObject({ message: expect.stringContaining("not JSON") });
  expect(readFileSync(path, "utf8")).toBe(LATENESS);
  expect(told).toEqual([]);
});

test("an edit by hand is noticed, also when the file is replaced by another or taken away", async () => {
  const { folder, path, file, told } = setUp();
  writeFileSync(path, LATENESS);
  await expect.poll(() => told.length, { timeout: 10_000 }).toBe(1);
  const other = join(folder, "new.json");
  writeFileSync(other, "garbage");
  renameSync(other, path);
  await expect.poll(() => told.at(-1)?.problem ?? null, { timeout: 10_000 }).toContain("not JSON");
  expect(told.at(-1)?.settings).toEqual(DEFAULT_SETTINGS);
  expect(told.at(-1)?.hasWish).toBe(false);
  rmSync(path);
  await expect.poll(() => told.at(-1)?.problem, { timeout: 10_000 }).toBeNull();
  expect(file.changes).toBe(3);
});
