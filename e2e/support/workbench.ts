import type { Page } from "@playwright/test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { Bridge } from "#main/contract/bridge.ts";
import { projectRoot } from "../../build/project-root.ts";

declare global {
  /** In the page; `window` is taken by Playwright's page in the specs. */
  var highwater: Bridge;
}

/** Screenshots for people to look at; kept by CI as artifacts. */
const SCREENS = join(projectRoot, "test-results", "screens");

/** The newest row on screen: the first one, since the newest are on top. */
export function firstRow(window: Page) {
  return window.locator(".rows .row").first();
}

/** Offsets of the rows that are in the page now, from the top. */
export function paintedOffsets(window: Page): Promise<number[]> {
  return window
    .locator(".rows [data-offset]")
    .evaluateAll((rows) =>
      rows.map((row) => Number(row.getAttribute("data-offset"))).toSorted((a, b) => b - a),
    );
}

/** The app's status as any window gets it. */
export async function readStatus(window: Page): Promise<AppStatus> {
  const answer = await window.evaluate(() => globalThis.highwater.invoke("app.status", {}));
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

/** Pid of a running worker, or null. */
export function pidOf(status: AppStatus, name: AppStatus["workers"][number]["name"]): number | null {
  const phase = status.workers.find((worker) => worker.name === name)?.phase;
  return phase?.state === "running" ? phase.pid : null;
}

/** Pids of all workers that run. */
export function workerPids(status: AppStatus): number[] {
  return status.workers.flatMap(({ name }) => pidOf(status, name) ?? []);
}

/** Whether a process is there (a zombie counts as gone only when its parent took its exit). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // ESRCH: no such process.
    return false;
  }
}

/** Saves what the window shows. */
export async function saveScreen(window: Page, name: string): Promise<void> {
  mkdirSync(SCREENS, { recursive: true });
  await window.screenshot({ path: join(SCREENS, `${name}.png`) });
}
