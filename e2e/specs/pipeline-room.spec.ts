import type { Page } from "@playwright/test";
import { expect, test } from "../support/launch.ts";
import { openRoom, paintTheme, runCommand } from "../support/rooms.ts";
import { firstRow, readStatus, saveScreen } from "../support/workbench.ts";

const DEMO = ["--source", "demo", "--rate", "50"];

async function openPipeline(window: Page): Promise<void> {
  await expect(firstRow(window)).toBeVisible();
  await openRoom(window, "Pipeline");
  await expect(window.locator(".pipeline-room")).toBeVisible();
}

/** Waits for the card of the `nth` kill of this run and reads that everything was counted. */
async function expectPass(window: Page, nth: number, worker: string): Promise<void> {
  const card = window.locator(`.kill-card[data-nth="${nth}"]`);
  await expect(card).toBeVisible({ timeout: 90_000 });
  await expect(card).toContainText(`killed ${worker}`);
  await expect(card, await card.innerText()).toHaveAttribute("data-verdict", "pass");
  await expect(card).toContainText("0 lost · 0 doubled");
  await expect(card).toContainText(/verified at snapshot #[\d,]+/);
}

test("the demo feed is killed as well: it goes on with its events, and nothing is lost or doubled", async ({
  launch,
}) => {
  test.setTimeout(180_000);
  const { window } = await launch({ args: DEMO });
  await openPipeline(window);
  await paintTheme(window, "dark");
  await runCommand(window, "Welcome: show or hide");
  await window.getByRole("button", { name: /kill the feed worker/ }).click();
  await expect(window.locator(".steps")).toBeVisible();
  await saveScreen(window, "pipeline-room-killing");
  await expectPass(window, 1, "feed");
  await runCommand(window, "kill the ingest");
  await expectPass(window, 2, "ingest");
  await expect(window.locator(".kill-card")).toContainText("at ingest-in-append");
  await window.getByRole("button", { name: /kill the pipeline worker/ }).click();
  await expectPass(window, 3, "pipeline");
  await expect(window.locator(".kill-card")).toContainText(/at commit-in, offsets [\d,]+–[\d,]+ in flight/);
  await saveScreen(window, "pipeline-room-dark");

  // Each end is a mark over the charts; a click on it opens its card.
  const flags = window.locator('.freshness .mark-flag[data-mark="exit"]');
  await expect(flags).toHaveCount(3);
  await flags.first().click();
  await expect(window.locator('.kill-card[data-nth="1"]')).toBeVisible();

  // The crosshair follows the pointer in all three charts, a drag zooms them all, a double click shows everything again.
  const plots = window.locator(".chart .u-over");
  await expect(plots).toHaveCount(3);
  const box = await plots.first().boundingBox();
  if (box === null) throw new Error("the chart has no place");
  await window.mouse.move(box.x + box.width - 4, box.y + 20);
  await expect(window.locator(".freshness .chart-tip")).toContainText("UTC");
  await expect(window.locator(".chart .u-cursor-x:not(.u-off)")).toHaveCount(3);
  await window.mouse.move(box.x + box.width * 0.7, box.y + 20);
  await window.mouse.down();
  await window.mouse.move(box.x + box.width * 0.9, box.y + 30, { steps: 4 });
  await window.mouse.up();
  const showAll = window.getByRole("button", { name: /show the whole time/ });
  await expect(showAll).toBeVisible();
  await saveScreen(window, "pipeline-room-zoomed");
  await plots.nth(1).dblclick({ position: { x: 30, y: 30 } });
  await expect(showAll).toBeHidden();

  await paintTheme(window, "light");
  await saveScreen(window, "pipeline-room-light");
  await paintTheme(window, "high-contrast-dark");
  await saveScreen(window, "pipeline-room-contrast");
  await paintTheme(window, "dark");
  await window.setViewportSize({ width: 900, height: 800 });
  await saveScreen(window, "pipeline-room-narrow");
  await window.locator(".batches").scrollIntoViewIfNeeded();
  await saveScreen(window, "pipeline-room-narrow-batches");
  const { workers } = await readStatus(window);
  const restarts = Object.fromEntries(workers.map((worker) => [worker.name, worker.restarts]));
  expect(restarts).toEqual({ feed: 1, ingest: 1, pipeline: 1, query: 0 });
});
