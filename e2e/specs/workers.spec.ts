import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { prepareElectron } from "../../build/electron-runtime.ts";
import { projectRoot } from "../../build/project-root.ts";
import { expect, test } from "../support/launch.ts";
import { firstRow, isAlive, pidOf, readStatus, workerPids } from "../support/workbench.ts";

const DEMO = ["--source", "demo"];

for (const worker of ["pipeline", "ingest", "query"] as const) {
  test(`a ${worker} worker that is killed from outside comes back, and the status bar says so`, async ({
    launch,
  }) => {
    const { window } = await launch({ args: DEMO });
    await expect(firstRow(window)).toBeVisible();
    const before = await readStatus(window);
    const pid = pidOf(before, worker);
    if (pid === null) throw new Error(`no ${worker} worker runs`);
    process.kill(pid, "SIGKILL");
    const item = window.locator(`[data-item="worker-${worker}"]`);
    await expect(item).toHaveText(`${worker} restarted`);
    await expect(item).toHaveAttribute("title", /SIGKILL/);
    const after = await readStatus(window);
    expect(pidOf(after, worker)).not.toBe(pid);
    const checkpoint = before.pipeline?.checkpoint ?? 0;
    await expect
      .poll(async () => (await readStatus(window)).pipeline?.checkpoint ?? 0)
      .toBeGreaterThan(checkpoint + 20);
    const newest = Number(await firstRow(window).getAttribute("data-offset"));
    await expect
      .poll(async () => Number(await firstRow(window).getAttribute("data-offset")))
      .toBeGreaterThan(newest);
  });
}

test("quitting ends every worker", async ({ launch }) => {
  const { app, window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  const pids = workerPids(await readStatus(window));
  expect(pids.length).toBeGreaterThanOrEqual(3);
  expect(pids.every(isAlive)).toBe(true);
  await app.close();
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
});

test("Ctrl+C in the terminal ends the app and every worker with exit code 0", async ({ launch }) => {
  const { app, window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  const pids = workerPids(await readStatus(window));
  const child = app.process();
  const exit = once(child, "exit");
  child.kill("SIGINT");
  expect(await exit).toEqual([0, null]);
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
});

test("a killed main takes its workers with it", async ({ launch }) => {
  const { app, window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  const pids = workerPids(await readStatus(window));
  const child = app.process();
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
});

test("a second start on the same data folder says who holds it, brings that window to the front and ends", async ({
  launch,
  dataFolder,
}) => {
  const { app, window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  const isShown = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  expect(await isShown()).toBe(false);
  const electron = await prepareElectron();
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const profile = `--user-data-dir=${join(dataFolder, "chromium-second")}`;
  const second = spawn(
    electron.execPath,
    [...sandbox, ...electron.flags, profile, projectRoot, "--data", dataFolder, ...DEMO],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let said = "";
  second.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  const [code] = await once(second, "exit");
  expect(code).toBe(1);
  expect(said).toContain(`already runs on this data folder (pid ${app.process().pid}`);
  expect(await isShown()).toBe(true);
  const { checkpoint } = (await readStatus(window)).pipeline ?? { checkpoint: 0 };
  await expect
    .poll(async () => (await readStatus(window)).pipeline?.checkpoint ?? 0)
    .toBeGreaterThan(checkpoint);
});
