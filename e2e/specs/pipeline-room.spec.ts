import type { Page } from "@playwright/test";
import { expect, test } from "../support/launch.ts";
import { firstRow, readStatus, saveScreen } from "../support/workbench.ts";

const DEMO = ["--source", "demo", "--rate", "50"];
/** Where the whole proof is asked for, twenty kills in a row; else as many as CI has time for. */
const isFull = process.env["HIGHWATER_FULL"] === "1";
const KILLS = isFull ? 20 : 3;

async function openRoom(window: Page): Promise<void> {
  await expect(firstRow(window)).toBeVisible();
  await window.getByRole("tab", { name: "Pipeline" }).click();
  await expect(window.locator(".pipeline-room")).toBeVisible();
}

async function expectPass(window: Page, worker: string): Promise<void> {
  const card = window.locator(".kill-card");
  await expect(window.locator(".steps")).toBeHidden({ timeout: 60_000 });
  // An order that failed leaves the card of the one before.
  await expect(window.locator(".proof [role=alert]")).toBeHidden();
  await expect(card).toContainText(`killed ${worker}`);
  await expect(card, await card.innerText()).toHaveAttribute("data-verdict", "pass");
  await expect(card).toContainText("0 lost · 0 doubled");
  await expect(card).toContainText(/next (commit of new records|answer) in [\d.]+ s/);
  await expect(card).toContainText(/verified at snapshot #[\d,]+/);
}

test("kills in the middle of a commit lose nothing and double nothing, from button and palette", async ({
  launch,
}) => {
  if (isFull) test.setTimeout(20 * 60_000);
  const { window } = await launch({ args: DEMO });
  await openRoom(window);
  const setTheme = (theme: "dark" | "light") =>
    window.evaluate((name) => globalThis.highwater.invoke("theme.set", { theme: name }), theme);
  await setTheme("dark");
  for (let nth = 1; nth < KILLS; nth += 1) {
    await window.getByRole("button", { name: /kill the pipeline worker/ }).click();
    await expect(window.locator(".steps")).toBeVisible();
    await expectPass(window, "pipeline");
    await expect(window.locator(".kill-card")).toContainText(/at commit-in, offsets [\d,]+–[\d,]+ in flight/);
  }
  await saveScreen(window, "pipeline-room-dark");
  await window.keyboard.press("F1");
  await window.keyboard.type("kill the ingest");
  await window.keyboard.press("Enter");
  await expect(window.locator(".steps")).toBeVisible();
  await expectPass(window, "ingest");
  await expect(window.locator(".kill-card")).toContainText("at ingest-in-append");
  await setTheme("light");
  await saveScreen(window, "pipeline-room-light");
  const { workers } = await readStatus(window);
  expect(workers.find(({ name }) => name === "pipeline")?.restarts).toBe(KILLS - 1);
});
