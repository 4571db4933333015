import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withPreparationLock } from "./preparation-lock.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "highwater-lock-"));
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

test("runs two preparations of the same thing one after the other", async () => {
  const lock = join(folder, "lock");
  let inside = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all([withPreparationLock(lock, work), withPreparationLock(lock, work)]);
  expect(most).toBe(1);
  expect(existsSync(lock)).toBe(false);
});

test("takes over the lock of a process that is gone", async () => {
  const lock = join(folder, "lock");
  const gone = spawnSync(process.execPath, ["-e", ""]).pid;
  mkdirSync(lock);
  writeFileSync(join(lock, "pid"), String(gone));
  await expect(withPreparationLock(lock, () => Promise.resolve("done"))).resolves.toBe("done");
});

test("frees the lock when the work fails", async () => {
  const lock = join(folder, "lock");
  await expect(withPreparationLock(lock, () => Promise.reject(new Error("no network")))).rejects.toThrow(
    "no network",
  );
  expect(existsSync(lock)).toBe(false);
});
