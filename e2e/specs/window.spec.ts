import { expect, test } from "../support/launch.ts";
import { firstRow, saveScreen } from "../support/workbench.ts";

const DEMO = ["--source", "demo"];

test("dark and light themes, by key and kept over a restart", async ({ launch }) => {
  const first = await launch({ args: DEMO });
  await expect(firstRow(first.window)).toBeVisible();
  const root = (window: typeof first.window) => window.locator("html");
  const start = await root(first.window).getAttribute("data-theme");
  const other = start === "dark" ? "light" : "dark";
  await first.window.mouse.move(4, 500);
  // Enough rows to fill the window, so that the pictures show what a user sees.
  await expect.poll(() => first.window.locator(".rows .row").count()).toBeGreaterThan(35);
  await saveScreen(first.window, `live-edits-${start}`);
  await first.window.keyboard.press("Control+k");
  await first.window.keyboard.press("Control+t");
  await expect(root(first.window)).toHaveAttribute("data-theme", other);
  await saveScreen(first.window, `live-edits-${other}`);
  await first.app.close();

  const second = await launch({ args: DEMO });
  await expect(root(second.window)).toHaveAttribute("data-theme", other);
});

test("the palette opens by key, lists commands with their keys and runs one", async ({ launch }) => {
  const { window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  await window.keyboard.press("Control+Shift+P");
  await expect(window.getByRole("option").first()).toBeVisible();
  await saveScreen(window, "palette");
  await window.keyboard.type("side bar");
  await window.keyboard.press("Enter");
  await expect(window.getByLabel("Side bar")).toBeHidden();
  await window.keyboard.press("Control+b");
  await expect(window.getByLabel("Side bar")).toBeVisible();
});

test("the window opens where it was closed", async ({ launch }) => {
  const bounds = { x: 60, y: 40, width: 1_100, height: 700 };
  const first = await launch({ args: DEMO });
  await expect(firstRow(first.window)).toBeVisible();
  await first.app.evaluate(
    ({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to),
    bounds,
  );
  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await first.app.waitForEvent("close");
  const second = await launch({ args: DEMO });
  const restored = await second.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
  );
  expect(restored).toEqual(bounds);
});
