import { expect, test } from "../support/launch.ts";
import { firstRow, saveScreen } from "../support/workbench.ts";

const DEMO = ["--source", "demo"];

test("four themes, by key in a circle, and the choice is kept over a restart", async ({ launch }) => {
  const first = await launch({ args: DEMO });
  await expect(firstRow(first.window)).toBeVisible();
  const root = (window: typeof first.window) => window.locator("html");
  const start = (await root(first.window).getAttribute("data-theme")) ?? "";
  await first.window.mouse.move(4, 500);
  // Enough rows to fill the window, so that the pictures show what a user sees.
  await expect.poll(() => first.window.locator(".rows .row").count()).toBeGreaterThan(35);
  const circle = ["dark", "light", "high-contrast-dark", "high-contrast-light"];
  const others = [...circle, ...circle].slice(circle.indexOf(start) + 1).slice(0, 3);
  await saveScreen(first.window, `live-edits-${start}`);
  for (const theme of others) {
    await first.window.keyboard.press("Control+k");
    await first.window.keyboard.press("Control+t");
    await expect(root(first.window)).toHaveAttribute("data-theme", theme);
    await saveScreen(first.window, `live-edits-${theme}`);
  }
  await first.app.close();

  const second = await launch({ args: DEMO });
  await expect(root(second.window)).toHaveAttribute("data-theme", others.at(-1) ?? "");
});

test("tabs, a split, the bottom panel and the side bar's width come back after kill -9 of the app", async ({
  launch,
}) => {
  const first = await launch({ args: DEMO });
  await expect(firstRow(first.window)).toBeVisible();
  await first.window.keyboard.press("Control+2");
  await first.window.keyboard.press("Control+Backslash");
  await expect(first.window.locator(".dv-groupview")).toHaveCount(2);
  await first.window.keyboard.press("Control+j");
  const sash = first.window.getByRole("separator", { name: "Resize the left part" });
  await sash.focus();
  for (let step = 0; step < 3; step += 1) await first.window.keyboard.press("ArrowRight");
  await expect(sash).toHaveAttribute("aria-valuenow", "312");
  await expect(first.window.locator(".rows .row").first()).toBeVisible();
  await saveScreen(first.window, "split-and-bottom-panel");
  // The window saves within a second.
  await expect
    .poll(async () => {
      const answer = await first.window.evaluate(() => globalThis.highwater.invoke("memory.read", {}));
      return answer.ok ? answer.value.text : null;
    })
    .toMatch(/"sideBarWidth":312.*"bottomView":"problems"/);
  first.app.process().kill("SIGKILL");
  await first.app.waitForEvent("close");

  const second = await launch({ args: DEMO });
  await expect(second.window.locator(".dv-groupview")).toHaveCount(2);
  await expect(second.window.getByRole("region", { name: "Bottom panel" })).toBeVisible();
  await expect(second.window.locator(".pipeline-room")).toBeVisible();
  await expect(second.window.getByLabel("Side bar")).toHaveCSS("width", "312px");
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
