import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "../support/launch.ts";
import { firstRow, readStatus, saveScreen } from "../support/workbench.ts";

const DEMO = ["--source", "demo"];

async function writeSettings(dataFolder: string, settings: unknown): Promise<void> {
  await mkdir(join(dataFolder, "workspace"), { recursive: true });
  await writeFile(join(dataFolder, "workspace", "settings.json"), JSON.stringify(settings));
}

test("C49: the window says which settings hold since which offset, names a refused one, and hides no banner behind another", async ({
  launch,
  dataFolder,
}) => {
  await writeSettings(dataFolder, { result: { allowedLatenessMs: 10_000 } });
  const first = await launch({ args: DEMO });
  await expect(firstRow(first.window)).toBeVisible();
  const settings = first.window.getByRole("region", { name: "Settings in force" });
  await expect(settings).toContainText("allowed lateness10 s");
  await expect(settings).toContainText("since offset1");
  await expect(first.window.locator(".banner")).toHaveCount(1);
  await first.app.close();

  await writeSettings(dataFolder, { result: { allowedLatenessMs: -5, dedupHorizonMs: "long" } });
  const { window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  // Worst first: the refused file stands before the word that these edits are invented.
  await expect(window.locator(".banner")).toHaveCount(1);
  await expect(window.locator(".banner")).toContainText("allowedLatenessMs");
  await expect(window.locator(".banner")).toContainText("dedupHorizonMs");
  await window.getByRole("button", { name: "and 1 more" }).click();
  await expect(window.locator(".banner")).toHaveCount(2);
  await expect(window.getByRole("button", { name: "Try the live feed" })).toBeVisible();
  const held = window.getByRole("region", { name: "Settings in force" });
  await expect(held).toContainText("allowed lateness10 s");
  await expect(held).toContainText("refused");
  await saveScreen(window, "settings-refused");
  const status = await readStatus(window);
  expect(status.banners.map(({ id }) => id)).toEqual(["settings", "demo"]);
  expect(status.pipeline?.settings).toMatchObject({ sinceOffset: 1 });
});
