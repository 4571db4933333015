import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ElectronApplication } from "@playwright/test";
import { expect, type Launch, type LaunchedApp, test } from "../support/launch.ts";
import { firstRow, isAlive, paintedOffsets, readStatus, workerPids } from "../support/workbench.ts";

const DEMO = ["--source", "demo"];

type Rectangle = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Where the window is, and the first screen's work area. */
function placeOf(app: ElectronApplication): Promise<{ window: Rectangle; screen: Rectangle }> {
  return app.evaluate(({ BrowserWindow, screen }) => {
    const window = BrowserWindow.getAllWindows()[0]?.getBounds() ?? { x: -1, y: -1, width: 0, height: 0 };
    return { window, screen: screen.getPrimaryDisplay().workArea };
  });
}

/** Files of the folders that the app made, below a home. */
function below(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true }).map(String);
}

test("C33: a home with non-Latin, decomposed and very long names works: all workers run and files lie under that very path", async ({
  launch,
  dataFolder,
}) => {
  const name = "김 Ö 测试 e\u0301";
  const home = join(dataFolder, name, "x".repeat(200));
  mkdirSync(home, { recursive: true });
  const { window } = await launch({
    args: DEMO,
    usesDefaultFolder: true,
    env: { HOME: home, XDG_DATA_HOME: "" },
  });
  await expect(firstRow(window)).toBeVisible();
  const status = await readStatus(window);
  expect(status.dataFolder.startsWith(home)).toBe(true);
  await expect.poll(async () => workerPids(await readStatus(window)).length).toBe(4);
  expect(below(status.dataFolder)).toEqual(
    expect.arrayContaining(["workspace/folder.json", "lake/catalog.sqlite", "log/demo"]),
  );
  // No second folder in the composed form of the same name.
  expect(readdirSync(dataFolder).filter((entry) => entry.normalize("NFC") === name.normalize("NFC"))).toEqual(
    [name],
  );
});

test.describe("C38: a window whose saved place is on no screen", () => {
  for (const [what, layout] of [
    [
      "far away",
      { bounds: { x: 9_000, y: -5_000, width: 1_200, height: 800 }, isMaximized: false, theme: "dark" },
    ],
    [
      "larger than any screen",
      { bounds: { x: 0, y: 0, width: 99_999, height: 99_999 }, isMaximized: false, theme: "dark" },
    ],
  ] as const) {
    test(`(${what}) opens with its title bar on the screen`, async ({ launch, dataFolder }) => {
      mkdirSync(join(dataFolder, "workspace"), { recursive: true });
      writeFileSync(join(dataFolder, "workspace", "layout.json"), JSON.stringify(layout));
      const { app, window } = await launch({ args: DEMO });
      await expect(firstRow(window)).toBeVisible();
      const place = await placeOf(app);
      const right = Math.min(place.window.x + place.window.width, place.screen.x + place.screen.width);
      expect(right - Math.max(place.window.x, place.screen.x)).toBeGreaterThanOrEqual(100);
      expect(place.window.y).toBeGreaterThanOrEqual(place.screen.y);
      expect(place.window.y).toBeLessThan(place.screen.y + place.screen.height - 35);
    });
  }
});

test.describe("C41: unreadable files of the window", () => {
  for (const [what, text] of [
    ["garbage", "garbage"],
    ["empty", ""],
    ["half written", '{"bounds":{"x":1'],
  ] as const) {
    test(`(${what}) never stop a start: the file is set aside, never deleted, and that is said`, async ({
      launch,
      dataFolder,
    }) => {
      const workspace = join(dataFolder, "workspace");
      mkdirSync(workspace, { recursive: true });
      for (const name of ["layout.json", "window.json", "settings.json"])
        writeFileSync(join(workspace, name), text);
      const { window } = await launch({ args: DEMO });
      await expect(firstRow(window)).toBeVisible();
      // The settings are the user's own text: they stay where they are, and the banner says what is wrong with them.
      await expect(window.locator('[data-banner="settings"]')).toContainText("not JSON");
      expect(readFileSync(join(workspace, "settings.json"), "utf8")).toBe(text);
      const aside = readdirSync(workspace).filter((name) => name.includes(".unreadable-"));
      expect(new Set(aside.map((name) => name.split(".unreadable-")[0]))).toEqual(
        new Set(["layout.json", "window.json"]),
      );
      for (const name of aside) expect(readFileSync(join(workspace, name), "utf8")).toBe(text);
      await expect(window.locator(".notification", { hasText: "set aside" })).toHaveCount(2);
    });
  }
});

test("C35: a second start brings the first window to the front and ends, and leaves the first undisturbed", async ({
  launch,
  dataFolder,
}) => {
  const first = await launch({ args: DEMO });
  await expect(firstRow(first.window)).toBeVisible();
  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  const before = workerPids(await readStatus(first.window));
  // It ends before there is a window to wait for.
  const second = await launch({ args: ["--data", dataFolder, ...DEMO] }).catch((error: unknown) =>
    String(error),
  );
  expect(typeof second).toBe("string");
  await expect
    .poll(() => first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized()))
    .toBe(false);
  expect(workerPids(await readStatus(first.window))).toEqual(before);
});

test("C37: after a while hidden the window shows the newest rows at once, keeps its selection, and the renderer killed meanwhile comes back", async ({
  launch,
}) => {
  const { app, window } = await launch({ args: [...DEMO, "--rate", "50"] });
  await expect(firstRow(window)).toBeVisible();
  await window.keyboard.press("j");
  await window.keyboard.press("j");
  const selected = window.locator('.rows [aria-selected="true"]');
  await expect(selected).toHaveCount(1);
  const chosen = await selected.getAttribute("data-offset");
  const hide = (isHidden: boolean): Promise<void> =>
    app.evaluate(({ BrowserWindow }, hidden) => {
      const first = BrowserWindow.getAllWindows()[0];
      if (hidden) first?.hide();
      else first?.show();
    }, isHidden);
  await hide(true);
  const offsets = await paintedOffsets(window);
  await window.waitForTimeout(5_000);
  expect(await paintedOffsets(window)).toEqual(offsets);
  const shownAt = Date.now();
  await hide(false);
  await expect(selected).toHaveAttribute("data-offset", chosen ?? "");
  await window.keyboard.press("Escape");
  await window.keyboard.press("Escape");
  await expect
    .poll(async () => (await paintedOffsets(window))[0] ?? 0)
    .toBeGreaterThan((offsets[0] ?? 0) + 150);
  console.log(`C37: newest rows ${Date.now() - shownAt} ms after the window came back`);
  expect((await readStatus(window)).ingest?.recordsPerSecond ?? 0).toBeLessThan(100);

  await hide(true);
  const pid = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  );
  process.kill(pid ?? 0, "SIGKILL");
  await expect.poll(() => isAlive(pid ?? 0)).toBe(false);
  await hide(false);
  const url = (): Promise<string | undefined> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL());
  await expect.poll(url).toContain("crashed=killed");
});

/** The substitute Electron has no GPU process in about one start of forty under Xvfb, which is why it is started without one. */
async function launchWithGpuProcess(launch: Launch): Promise<LaunchedApp> {
  for (let attempt = 1; ; attempt += 1) {
    const launched = await launch({ args: DEMO, hasGpuProcess: true });
    const row = firstRow(launched.window).waitFor({ timeout: 20_000 });
    if (attempt === 3) await row;
    const isShown = await row.then(
      () => true,
      () => false,
    );
    if (isShown) return launched;
    launched.app.process().kill("SIGKILL");
    await launched.app.waitForEvent("close");
  }
}

test("C37: a window whose GPU process is killed paints again, and its workers never notice", async ({
  launch,
}) => {
  const { app, window } = await launchWithGpuProcess(launch);
  const gpuPid = (): Promise<number> =>
    app.evaluate(
      ({ app: electron }) => electron.getAppMetrics().find(({ type }) => type === "GPU")?.pid ?? 0,
    );
  const killed = await gpuPid();
  expect(killed).toBeGreaterThan(0);
  const before = workerPids(await readStatus(window));
  process.kill(killed, "SIGKILL");
  await expect.poll(() => isAlive(killed)).toBe(false);
  const frames = (): Promise<number> =>
    window.evaluate(async () => {
      let count = 0;
      const endMs = performance.now() + 1_000;
      while (performance.now() < endMs) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        count += 1;
      }
      return count;
    });
  await expect.poll(frames, { timeout: 20_000 }).toBeGreaterThan(10);
  const newest = (await paintedOffsets(window))[0] ?? 0;
  await expect.poll(async () => (await paintedOffsets(window))[0] ?? 0).toBeGreaterThan(newest);
  expect(workerPids(await readStatus(window))).toEqual(before);
});

test("C37: a page that hangs for ever becomes the card that loads it again, and the workers never notice", async ({
  launch,
}) => {
  test.setTimeout(180_000);
  const { app, window } = await launch({ args: DEMO, trace: false });
  await expect(firstRow(window)).toBeVisible();
  const before = workerPids(await readStatus(window));
  await window.evaluate(() => {
    setTimeout(() => {
      // Nothing ends this but the end of its process.
      for (;;);
    }, 0);
  });
  const url = (): Promise<string | undefined> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL());
  await expect.poll(url, { timeout: 120_000 }).toContain("crashed=hung");
  expect(before.filter(isAlive)).toEqual(before);
});
