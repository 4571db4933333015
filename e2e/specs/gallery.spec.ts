import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/launch.ts";
import { openRoom, paintTheme, roomTitles, runCommand, THEMES } from "../support/rooms.ts";
import { firstRow, saveScreen } from "../support/workbench.ts";

/**
 * Every room in every theme: a picture for people to look at (test-results/screens/gallery-*.png) and no violation that axe
 * calls serious or critical.
 */
/** The demo feed sends 1 % late and 0.3 % malformed: at this rate every room has rows within seconds. */
const DEMO = ["--source", "demo", "--rate", "400"];

async function seriousViolations(window: Page): Promise<readonly string[]> {
  // Electron gives Playwright no second page, which axe's newer mode wants.
  const { violations } = await new AxeBuilder({ page: window }).setLegacyMode(true).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}\n${failureSummary}`),
    );
}

for (const theme of THEMES) {
  test(`every room in the theme ${theme}: a picture, and axe finds nothing serious`, async ({ launch }) => {
    test.setTimeout(240_000);
    const { window } = await launch({ args: DEMO });
    await expect(firstRow(window)).toBeVisible();
    await paintTheme(window, theme);
    const found: Record<string, readonly string[]> = {};
    const look = async (name: string): Promise<void> => {
      // The pointer leaves what it opened, or its tooltip and colour would be in the picture.
      await window.mouse.move(700, 2);
      await saveScreen(window, `gallery-${name}-${theme}`);
      found[name] = await seriousViolations(window);
    };
    await look("welcome");
    await runCommand(window, "welcome");
    for (const room of await roomTitles(window)) {
      await openRoom(window, room);
      await window.waitForLoadState("networkidle");
      if (room === "SQL") await window.keyboard.press("Control+Enter");
      await window.waitForTimeout(1_500);
      await look(room.toLowerCase().replaceAll(" ", "-"));
    }
    await window.keyboard.press("Control+j");
    await look("problems");
    await runCommand(window, "output: ingest");
    await look("output");
    await window.keyboard.press("Control+j");
    await window.keyboard.press("Control+p");
    await window.waitForTimeout(500);
    await look("command-centre");
    await window.keyboard.press("Escape");
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  });
}
