import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../support/launch.ts";
import { paintTheme } from "../support/rooms.ts";
import { firstRow, readStatus, saveScreen } from "../support/workbench.ts";

test("a setting changed in the form takes effect at one offset of the running stream; a broken file is said and changes nothing", async ({
  launch,
  dataFolder,
}) => {
  const { window } = await launch({ args: ["--source", "demo"] });
  await expect(firstRow(window)).toBeVisible();
  await window.keyboard.press("Control+,");
  const lateness = window.getByLabel("Allowed lateness", { exact: true });
  await lateness.fill("10 s");
  await lateness.press("Enter");
  await expect
    .poll(async () => (await readStatus(window)).pipeline?.settings?.inForce.allowedLatenessMs)
    .toBe(10_000);
  const since = (await readStatus(window)).pipeline?.settings?.sinceOffset ?? 0;
  expect(since).toBeGreaterThan(1);
  await expect(window.locator('[data-path="result.allowedLatenessMs"]')).toContainText(
    `in force since offset ${since.toLocaleString("en-US")}`,
  );
  const path = join(dataFolder, "workspace", "settings.json");
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ result: { allowedLatenessMs: 10_000 } });
  for (const theme of ["light", "dark"] as const) {
    await paintTheme(window, theme);
    await saveScreen(window, `settings-${theme}`);
  }

  writeFileSync(path, "garbage");
  await expect(window.locator(".settings-problem")).toContainText("not JSON");
  expect((await readStatus(window)).pipeline?.settings?.inForce.allowedLatenessMs).toBe(10_000);

  await window.getByRole("button", { name: "Edit as JSON" }).click();
  const json = window.getByLabel("Settings as JSON");
  await json.fill('{ "result": { "allowedLatenessMs": -1 } }');
  await window.keyboard.press("Control+s");
  await expect(window.locator(".settings-problem").last()).toContainText("result.allowedLatenessMs");
  await json.fill('{ "result": { "allowedLatenessMs": 120000 } }');
  await window.keyboard.press("Control+s");
  await expect
    .poll(async () => (await readStatus(window)).pipeline?.settings?.inForce.allowedLatenessMs)
    .toBe(120_000);
});
