import { expect, test } from "../support/launch.ts";
import { firstRow, paintedOffsets, readStatus, saveScreen } from "../support/workbench.ts";

/** The promise of issue "Spine", proof 4. */
const FIRST_ROW_LIMIT_MS = 10_000;
const DEMO = ["--source", "demo", "--rate", "50"];

test("the first row is on screen within 10 s of the start", async ({ launch }) => {
  const startedMs = performance.now();
  const { window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible({ timeout: FIRST_ROW_LIMIT_MS });
  const elapsedMs = performance.now() - startedMs;
  console.log(`first row after ${(elapsedMs / 1_000).toFixed(2)} s`);
  expect(elapsedMs).toBeLessThan(FIRST_ROW_LIMIT_MS);
});

test("pause stands still and counts; resuming shows every row in between", async ({ launch }) => {
  const { window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  await window.keyboard.press("Space");
  const before = await paintedOffsets(window);
  const pausedAt = before[0] ?? 0;
  await expect(window.locator(".waiting")).toHaveText(/Paused · ([6-9]\d|\d{3,}) rows wait/);
  expect(await paintedOffsets(window)).toEqual(before);

  await window.keyboard.press("Space");
  await expect.poll(async () => (await paintedOffsets(window))[0]).toBeGreaterThan(pausedAt + 60);
  await window.keyboard.press("Space");

  // Scrolls from the newest row down to the one that was the newest at the pause.
  const seen = new Set<number>();
  const list = window.locator(".rows");
  for (let top = 0; !seen.has(pausedAt); top += 400) {
    expect(top).toBeLessThan(200_000);
    await list.evaluate((element, to) => element.scrollTo(0, to), top);
    await expect
      .poll(() => list.evaluate((element) => element.scrollTop))
      .toBeGreaterThanOrEqual(Math.min(top, 1));
    // Two frames: one for the scroll event, one for the paint that follows.
    await window.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    for (const offset of await paintedOffsets(window)) seen.add(offset);
  }
  const newest = Math.max(...seen);
  const inLake = await window.evaluate(
    ([fromOffset = 0, toOffset = 0]) =>
      globalThis.highwater.invoke("live.rows", { fromOffset, toOffset, limit: 2_000 }),
    [pausedAt, newest],
  );
  if (!inLake.ok) throw new Error(inLake.error.message);
  const expected = inLake.value.rows.map((row) => row.logOffset);
  expect(expected.length).toBeGreaterThan(60);
  expect([...seen].filter((offset) => offset >= pausedAt).toSorted((a, b) => a - b)).toEqual(expected);
});

test("the inspector shows summary, journey and the raw JSON of the row", async ({ launch }) => {
  const { window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  await window.keyboard.press("j");
  await window.keyboard.press("Enter");
  const inspector = window.getByLabel("Inspector");
  const offset = await window.locator('.rows .row[aria-selected="true"]').getAttribute("data-offset");
  const fact = (name: string) =>
    inspector.locator(".facts > div", { has: window.getByText(name, { exact: true }) });
  await expect(fact("log offset").first()).toContainText(offset ?? "no row is selected");
  await expect(fact("late").first()).toContainText(/yes|no/);
  await expect(fact("read at snapshot").first()).toContainText(/\d+/);
  await saveScreen(window, "inspector-summary");

  await inspector.getByRole("tab", { name: "JSON" }).click();
  await inspector.getByRole("button", { name: /^meta/ }).click();
  await expect(inspector.getByText("domain", { exact: true })).toBeVisible();
  await inspector.getByRole("tab", { name: "Raw text" }).click();
  const raw = await inspector.locator("pre").innerText();
  expect(JSON.parse(raw)).toHaveProperty("meta.id");
  await window.keyboard.press("Escape");
  await expect(inspector).toBeHidden();
});

test("the filter keeps the rows that match, says how many, and Esc ends it", async ({ launch }) => {
  const { window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  const wiki = await firstRow(window).locator('[role="gridcell"]').nth(1).innerText();
  await window.keyboard.press("/");
  await window.keyboard.type(wiki);
  await expect(window.getByText(/of [\d,]+ shown/)).toBeVisible();
  const wikis = await window.locator('.rows .row [role="gridcell"]:nth-child(2)').allInnerTexts();
  expect(wikis.length).toBeGreaterThan(0);
  await window.keyboard.type(" no-record-has-this-word");
  await expect(window.getByText(/No row in view matches/)).toBeVisible();
  await expect(window.locator(".rows .row")).toHaveCount(0);
  await window.keyboard.press("Escape");
  await expect(window.getByText(/of [\d,]+ shown/)).toBeHidden();
});

test("a hidden window is sent nothing and shows the newest when it comes back", async ({ launch }) => {
  const { app, window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  await window.evaluate(() => {
    const heard = { count: 0 };
    Object.assign(globalThis, { heard });
    globalThis.highwater.on("status", () => (heard.count += 1));
  });
  const heard = () => window.evaluate(() => Number(Reflect.get(Reflect.get(globalThis, "heard"), "count")));
  await expect.poll(heard).toBeGreaterThan(1);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  const hiddenAt = await heard();
  const checkpoint = (await readStatus(window)).pipeline?.checkpoint ?? 0;
  await expect
    .poll(async () => (await readStatus(window)).pipeline?.checkpoint)
    .toBeGreaterThan(checkpoint + 100);
  // One status may have been on its way when the window was hidden.
  expect(await heard()).toBeLessThanOrEqual(hiddenAt + 1);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.show());
  await expect.poll(async () => (await paintedOffsets(window))[0]).toBeGreaterThan(checkpoint + 50);
});

test("filters, pause with its place, and widths are there again after a restart", async ({ launch }) => {
  const args = ["--source", "demo", "--rate", "300"];
  const first = await launch({ args });
  // Enough for the filtered ones to fill more than a screen.
  await expect(first.window.locator(".foot-bar .held")).toHaveText(/^[\d,]{5,} rows$/, { timeout: 30_000 });
  await first.window.keyboard.press("w");
  await first.window.keyboard.type("enwiki");
  await first.window.keyboard.press("Enter");
  await saveScreen(first.window, "live-edits-wikis");
  await first.window.keyboard.press("Escape");
  await first.window.keyboard.press("Escape");
  await expect(first.window.getByRole("list", { name: "Active filters" })).toHaveText(/wiki\s*enwiki/);
  await first.window.getByRole("columnheader", { name: "user" }).focus();
  for (let press = 0; press < 4; press += 1) await first.window.keyboard.press("Shift+ArrowRight");
  const columns = (window: typeof first.window) =>
    window.getByRole("grid").evaluate((grid) => grid.style.getPropertyValue("--columns"));
  const widths = await columns(first.window);
  expect(widths).toMatch(/\d{2,}px .*\d{3}px/);
  await first.window.getByRole("grid").focus();
  await first.window.keyboard.press("Space");
  await first.window.getByRole("grid").evaluate((grid) => grid.scrollTo(0, 24 * 12));
  const topOffset = await first.window.getByRole("grid").evaluate((grid) => {
    const top = grid.getBoundingClientRect().top + 24;
    const rows = [...grid.querySelectorAll("[data-offset]")];
    const row = rows.find((one) => Math.abs(one.getBoundingClientRect().top - top) < 2);
    return row?.getAttribute("data-offset") ?? "";
  });
  expect(Number(topOffset)).toBeGreaterThan(0);
  await expect(first.window.locator(".waiting")).toHaveText(/Paused/);
  // The window writes what it remembers within a second.
  const remembers = (place: string) =>
    first.window.evaluate(async (text) => {
      const answer = await globalThis.highwater.invoke("memory.read", {});
      return answer.ok && (answer.value.text ?? "").includes(text);
    }, place);
  await expect.poll(() => remembers(`"topOffset":${topOffset}`)).toBe(true);
  await first.app.close();

  const second = await launch({ args });
  await expect(second.window.locator(".waiting")).toHaveText(/Paused · [\d,]+ rows wait/);
  await expect(second.window.getByRole("list", { name: "Active filters" })).toHaveText(/wiki\s*enwiki/);
  expect(await columns(second.window)).toBe(widths);
  const row = second.window.locator(`[data-offset="${topOffset}"]`);
  await expect(row).toBeVisible();
  const distance = await row.evaluate((one) => {
    const grid = one.closest(".rows");
    return one.getBoundingClientRect().top - (grid?.getBoundingClientRect().top ?? 0);
  });
  expect(Math.abs(distance - 24)).toBeLessThan(2);
  await saveScreen(second.window, "live-edits-restarted");
});
