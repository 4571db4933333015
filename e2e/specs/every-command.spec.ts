import { expect, test } from "../support/launch.ts";
import { firstRow, readStatus } from "../support/workbench.ts";

/** A command has to show an effect or an explanation within this; what takes longer goes on beside the next one. */
const SETTLE_MS = 120;

test("every command of the palette can be run by the keyboard, and none of them breaks the window", async ({
  launch,
}) => {
  test.setTimeout(300_000);
  const { app, window } = await launch({ args: ["--source", "demo"] });
  const broken: string[] = [];
  window.on("pageerror", (error) => broken.push(`page: ${error.message}`));
  app.process().stderr?.on("data", (chunk: Buffer) => {
    const text = chunk.toString("utf8");
    if (text.includes("bug in")) broken.push(text);
  });
  await expect(firstRow(window)).toBeVisible();
  // A dialog of the desktop would wait for a person.
  await app.evaluate(({ dialog, shell }) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: true, filePath: "" });
    dialog.showOpenDialog = () => Promise.resolve({ canceled: true, filePaths: [] });
    shell.showItemInFolder = () => undefined;
    shell.openPath = () => Promise.resolve("");
    shell.openExternal = () => Promise.resolve();
  });
  await window.keyboard.press("F1");
  const titles = await window.locator("#palette-list .title").allInnerTexts();
  await window.keyboard.press("Escape");
  expect(titles.length).toBeGreaterThan(60);

  for (const title of titles) {
    await window.keyboard.press("F1");
    await expect(window.locator(".palette input")).toBeFocused();
    await window.keyboard.insertText(title);
    await expect(window.locator("#palette-list li").first()).toContainText(title);
    await window.keyboard.press("Enter");
    await expect(window.getByRole("combobox", { name: "Search commands" })).toBeHidden();
    await window.waitForTimeout(SETTLE_MS);
    // The command may have opened the other list of the command centre, or a list of its own.
    await window.keyboard.press("Escape");
    await expect(window.locator(".workbench"), title).toBeVisible();
    expect(await window.locator(".error-card h2").allInnerTexts(), title).toEqual([]);
    expect(broken, title).toEqual([]);
  }
  await expect.poll(async () => (await readStatus(window)).mode, { timeout: 60_000 }).toBe("demo");
});
