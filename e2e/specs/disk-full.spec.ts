import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../support/launch.ts";
import { countRows } from "../support/lake.ts";
import { runCommand } from "../support/rooms.ts";
import { firstRow, isAlive, readStatus, saveScreen, workerPids } from "../support/workbench.ts";

/** A feed of 200 a second fills it in minutes; the filler does it at once. */
const DISK_SIZE = "60m";

/** Takes what is free of a disk, to the last 4 kB. */
function fill(folder: string): string {
  const filler = join(folder, "filler");
  writeFileSync(filler, "");
  for (const bytes of [1_048_576, 65_536, 4_096]) {
    const chunk = Buffer.alloc(bytes);
    for (;;) {
      try {
        appendFileSync(filler, chunk);
      } catch {
        // Full for this size; smaller pieces may still fit.
        break;
      }
    }
  }
  return filler;
}

test("C41: a full disk while typing, moving and receiving: one alarm, the old or the new of every file after kill -9, and everything goes on once there is space", async ({
  launch,
  dataFolder,
}) => {
  test.skip(process.getuid?.() !== 0, "mounting a small disk needs root, which CI is");
  test.setTimeout(180_000);
  const data = join(dataFolder, "small disk");
  mkdirSync(data);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_SIZE}`, "tmpfs", data]);
  try {
    const args = ["--data", data, "--source", "demo", "--rate", "200"];
    const first = await launch({ args });
    await expect(firstRow(first.window)).toBeVisible();
    await runCommand(first.window, "SQL: open");
    await first.window.keyboard.press("ControlOrMeta+A");
    await first.window.keyboard.insertText("SELECT 'before'");
    await expect
      .poll(() => readFileSync(join(data, "workspace", "window.json"), "utf8"))
      .toContain("SELECT 'before'");
    const filler = fill(data);
    await expect(first.window.locator(".banner")).toContainText(/disk|written/i, { timeout: 30_000 });
    await expect(first.window.locator(".banner")).toHaveCount(1);
    await first.window.keyboard.insertText(" -- while it was full");
    await first.window.keyboard.press("ControlOrMeta+B");
    await expect(first.window.locator(".notification.tone-bad")).toContainText("could not be saved");
    await saveScreen(first.window, "disk-full");
    const before = await readStatus(first.window);
    first.app.process().kill("SIGKILL");
    await expect.poll(() => workerPids(before).filter(isAlive), { timeout: 30_000 }).toEqual([]);
    rmSync(filler);
    const workspace = join(data, "workspace");
    for (const name of readdirSync(workspace).filter((file) => file.endsWith(".json")))
      expect(() => JSON.parse(readFileSync(join(workspace, name), "utf8")) as unknown, name).not.toThrow();

    const second = await launch({ args });
    await expect(second.window.getByLabel("SQL statement")).toContainText("SELECT 'before'");
    expect(readdirSync(workspace).filter((name) => name.includes(".unreadable-"))).toEqual([]);
    const checkpoint = async (): Promise<number> =>
      (await readStatus(second.window)).pipeline?.checkpoint ?? 0;
    await expect
      .poll(checkpoint, { timeout: 30_000 })
      .toBeGreaterThan((before.pipeline?.checkpoint ?? 0) + 200);
    const rows = await countRows(second.window, "bronze.recentchange", null);
    expect(rows).toBeGreaterThan(0);
    // Filled again while it runs: it waits, and goes on by itself.
    const again = fill(data);
    await expect(second.window.locator(".banner")).toContainText(/disk|written/i, { timeout: 30_000 });
    rmSync(again);
    const held = await checkpoint();
    await expect.poll(checkpoint, { timeout: 30_000 }).toBeGreaterThan(held + 200);
  } finally {
    // The apps still run; the disk goes when they have let go of it.
    execFileSync("umount", ["-l", data]);
  }
});
