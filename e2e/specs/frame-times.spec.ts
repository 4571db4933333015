import type { ElectronApplication, Page } from "@playwright/test";
import { setTimeout as delay } from "node:timers/promises";
import {
  measureFrames,
  readCpuMs,
  readLiveHeap,
  timeFixedWork,
  type FrameFigures,
} from "../support/frame-figures.ts";
import { expect, test } from "../support/launch.ts";
import { readStatus } from "../support/workbench.ts";

/** Ten times Wikimedia's own rate. */
const DEMO = ["--source", "demo", "--rate", "500"];
/** Two minutes, in two halves: what grows shows in the second. */
const MEASURED_MS = 120_000;
const HIDDEN_MS = 10_000;
/** The promise; a run fails at three times of it, since machines of CI are shared. */
const P95_FRAME_MS = 20;
const HIDDEN_SHARE = 0.02;
const FAILS_AT = 3;
/** The live heap may grow by this share, and by this much besides: caches of the engine, and the histories of ten minutes that charts are fed with. */
const HEAP_GROWTH = 0.1;
const HEAP_SLACK_BYTES = 3_000_000;

function describeFrames(name: string, figures: FrameFigures): string {
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const { frames, p50Ms, p95Ms, longestMs, busyShare, scriptShare, layoutShare, longTasks } = figures;
  return (
    `${name}: ${frames} frames, p50 ${ms(p50Ms)}, p95 ${ms(p95Ms)}, longest ${ms(longestMs)}; main thread ` +
    `${percent(busyShare)} busy (script ${percent(scriptShare)}, style and layout ${percent(layoutShare)}), ` +
    `${ms((busyShare * MEASURED_MS) / 2 / frames)} of work per frame, ${longTasks} tasks above 50 ms`
  );
}

function rendererPid(app: ElectronApplication): Promise<number> {
  return app.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
  );
}

/** Share of a core that the renderer uses while its window is hidden and the stream goes on. */
async function measureHidden(app: ElectronApplication, window: Page): Promise<number> {
  const pid = await rendererPid(app);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  const checkpoint = (await readStatus(window)).pipeline?.checkpoint ?? 0;
  const usedMs = readCpuMs(pid);
  const startedMs = performance.now();
  // A measurement over a time, not a wait for something.
  await delay(HIDDEN_MS);
  const share = (readCpuMs(pid) - usedMs) / (performance.now() - startedMs);
  expect((await readStatus(window)).pipeline?.checkpoint).toBeGreaterThan(checkpoint + HIDDEN_MS / 10);
  return share;
}

test("500 events a second: smooth frames with Live edits on screen, flat memory, and next to nothing while hidden", async ({
  launch,
}) => {
  test.setTimeout(MEASURED_MS + 120_000);
  const { app, window } = await launch({ args: DEMO });
  // The trace takes a picture of each frame, which costs more than what is measured.
  await app.context().tracing.stop();
  try {
    // Warm: the window is full, so that from here on a row comes for each one that goes.
    await expect(window.locator(".foot-bar .held")).toHaveText("5,000 rows", { timeout: 60_000 });
    const session = await app.context().newCDPSession(window);
    await session.send("Performance.enable");
    const heap = [await readLiveHeap(session)];
    const work = [timeFixedWork()];
    const halves: FrameFigures[] = [];
    for (let half = 0; half < 2; half += 1) {
      halves.push(await measureFrames(window, session, MEASURED_MS / 2));
      heap.push(await readLiveHeap(session));
      work.push(timeFixedWork());
    }
    await session.detach();
    const hiddenShare = await measureHidden(app, window);
    for (const [at, half] of halves.entries()) console.log(describeFrames(`half ${at + 1}`, half));
    console.log(`live heap: ${heap.map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`).join(" → ")}`);
    console.log(`renderer while hidden: ${(hiddenShare * 100).toFixed(2)} % of a core`);
    console.log(`fixed work in the same minute: ${work.map((ms) => `${ms.toFixed(0)} ms`).join(", ")}`);

    for (const { p95Ms } of halves) expect(p95Ms).toBeLessThan(P95_FRAME_MS * FAILS_AT);
    const [start = Number.NaN, ...later] = heap;
    for (const bytes of later) expect(bytes).toBeLessThan(start * (1 + HEAP_GROWTH) + HEAP_SLACK_BYTES);
    expect(hiddenShare).toBeLessThan(HIDDEN_SHARE * FAILS_AT);
  } finally {
    await app.context().tracing.start({ screenshots: true, snapshots: true });
  }
});
