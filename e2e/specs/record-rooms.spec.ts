import type { Page } from "@playwright/test";
import { expect, test } from "../support/launch.ts";
import { saveScreen } from "../support/workbench.ts";

/** The demo feed sends 1 % late and 0.3 % malformed: at this rate both rooms have rows within seconds. */
const DEMO = ["--source", "demo", "--rate", "400"];

async function openRoom(window: Page, name: string): Promise<void> {
  await window.getByRole("tab", { name, exact: true }).click();
  await expect(window.locator(".record-room .rows .row").first()).toBeVisible({ timeout: 20_000 });
}

/** Rows that the shown snapshot has, counted by a statement of our own; and what the room shows. */
async function countAtShownSnapshot(window: Page, table: string): Promise<{ shown: number; inLake: number }> {
  const texts = await window.locator(".room-fact .value").allInnerTexts();
  const [shown = Number.NaN, asOf = Number.NaN] = texts.map((text) => Number(text.replaceAll(",", "")));
  const answer = await window.evaluate(
    ([at, name]) =>
      globalThis.highwater.invoke("sql.run", {
        runId: "e2e",
        text: `SELECT count(*)::DOUBLE FROM ${name}`,
        asOf: Number(at),
        limit: 1,
      }),
    [asOf, table] as const,
  );
  if (!answer.ok) throw new Error(answer.error.message);
  return { shown, inLake: Number(answer.value.page.rows[0]?.[0]) };
}

async function saveBothThemes(window: Page, name: string): Promise<void> {
  for (const theme of ["dark", "light"] as const) {
    await window.evaluate((to) => globalThis.highwater.invoke("theme.set", { theme: to }), theme);
    await expect
      .poll(() => window.evaluate(() => matchMedia("(prefers-color-scheme: light)").matches))
      .toBe(theme === "light");
    await saveScreen(window, `${name}-${theme}`);
  }
}

test("late arrivals agree with the ledger of their snapshot, and a row opens with its payload", async ({
  launch,
}) => {
  const { window } = await launch({ args: DEMO });
  await openRoom(window, "Late arrivals");
  await expect(window.locator(".room-fact .note")).toHaveText("equals the ledger of this snapshot");
  const { shown, inLake } = await countAtShownSnapshot(window, "late_arrivals");
  expect(shown).toBeGreaterThan(0);
  expect(inLake).toBe(shown);
  await expect(window.getByLabel("Lateness of all rows").locator("li").first()).toBeVisible();

  await window.keyboard.press("j");
  await window.keyboard.press("Enter");
  const inspector = window.getByLabel("Inspector");
  const fact = (name: string) =>
    inspector.locator(".facts > div", { has: window.getByText(name, { exact: true }) }).first();
  await expect(fact("late")).toContainText("yes");
  await saveBothThemes(window, "late-arrivals");
  await inspector.getByRole("tab", { name: "Raw text" }).click();
  expect(JSON.parse(await inspector.locator("pre").innerText())).toHaveProperty("meta.id");
  await window.keyboard.press("Escape");
  await expect(inspector).toBeHidden();
});

test("the groups of the dead letters add up to the ledger, filter the rows, and a row shows its bytes", async ({
  launch,
}) => {
  const { window } = await launch({ args: DEMO });
  await expect(window.getByRole("button", { name: /dead letters?$/ })).toBeVisible({ timeout: 20_000 });
  await window.getByRole("button", { name: /dead letters?$/ }).click();
  await expect(window.locator(".record-room .rows .row").first()).toBeVisible({ timeout: 20_000 });
  await expect(window.locator(".room-fact .note")).toHaveText("equals the ledger of this snapshot");
  const { shown, inLake } = await countAtShownSnapshot(window, "dead_letters");
  expect(shown).toBeGreaterThan(0);
  expect(inLake).toBe(shown);

  const group = window.locator(".letter-group").first();
  const reason = await group.locator(".reason").innerText();
  await group.click();
  await expect(group).toHaveAttribute("aria-pressed", "true");
  await expect
    .poll(async () => [
      ...new Set(await window.locator('.rows .row [role="gridcell"]:nth-child(3)').allInnerTexts()),
    ])
    .toEqual([reason]);

  await window.keyboard.press("j");
  await window.keyboard.press("Enter");
  const inspector = window.getByLabel("Inspector");
  await expect(inspector.getByText("Where it broke", { exact: true })).toBeVisible();
  await expect(inspector.getByText(reason, { exact: true }).first()).toBeVisible();
  await saveBothThemes(window, "dead-letters");
  await inspector.getByRole("tab", { name: "Raw text" }).click();
  await expect(inspector.locator("pre")).not.toBeEmpty();
});
