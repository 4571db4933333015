import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/launch.ts";
import { paintTheme, runCommand } from "../support/rooms.ts";
import { firstRow, readStatus, saveScreen } from "../support/workbench.ts";

const RECORDS = 40;

/** An invented edit of a recording. */
function recordedEdit(n: number): string {
  const seconds = Math.floor(Date.now() / 1_000) - RECORDS + n;
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  return JSON.stringify({
    $schema: "/mediawiki/recentchange/1.0.0",
    meta: {
      uri: `https://xx.example.org/wiki/P${n}`,
      request_id: id,
      id,
      dt: new Date(seconds * 1_000).toISOString(),
      domain: "xx.example.org",
      stream: "mediawiki.recentchange",
      topic: "eqiad.mediawiki.recentchange",
      partition: 0,
      offset: 5_000 + n,
    },
    id: n,
    type: "edit",
    namespace: 0,
    title: `P${n}`,
    comment: "",
    timestamp: seconds,
    user: "Invented",
    bot: false,
    minor: false,
    length: { old: 10, new: 20 + n },
    revision: { old: n, new: n + 1 },
    server_url: "https://xx.example.org",
    server_name: "xx.example.org",
    server_script_path: "/w",
    wiki: "xxwiki",
    parsedcomment: "",
  });
}

async function countBronze(window: Page): Promise<number> {
  const answer = await window.evaluate(() =>
    globalThis.highwater.invoke("sql.run", {
      runId: "e2e-count",
      text: "SELECT count(*)::INTEGER, count(DISTINCT log_offset)::INTEGER FROM bronze.recentchange",
      asOf: null,
      limit: 1,
    }),
  );
  if (!answer.ok) throw new Error(answer.error.message);
  const [rows, offsets] = answer.value.page.rows[0] ?? [];
  expect(rows).toBe(offsets);
  return Number(rows);
}

test("a recording is opened beside the demo feed, read to its end in its own folder, and the demo's data are still there", async ({
  launch,
  dataFolder,
}) => {
  const path = join(dataFolder, "edits of 1 day.ndjson");
  writeFileSync(path, Array.from({ length: RECORDS }, (_, n) => `${recordedEdit(n)}\n`).join(""));
  const data = join(dataFolder, "asked");
  const { app, window } = await launch({ args: ["--data", data, "--source", "demo"] });
  await expect(firstRow(window)).toBeVisible();
  for (const theme of ["light", "dark"] as const) {
    await paintTheme(window, theme);
    await saveScreen(window, `sources-${theme}`);
  }
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
  }, path);
  await window.keyboard.press("Control+o");
  await expect(window.locator(".notification", { hasText: "read to its end" })).toContainText(
    `${RECORDS} in the tables`,
  );
  expect(await readStatus(window)).toMatchObject({ mode: "file", dataFolder: `${data}-file` });
  expect(await countBronze(window)).toBe(RECORDS);
  await expect(firstRow(window)).toBeVisible();
  await saveScreen(window, "sources-recording-dark");

  await window.locator(".source-row", { hasText: "demo feed" }).getByRole("button").first().click();
  await expect.poll(async () => (await readStatus(window)).mode).toBe("demo");
  await expect.poll(() => countBronze(window).catch(() => 0)).toBeGreaterThan(50);
  await expect(window.locator(".source-row", { hasText: "edits of 1 day.ndjson" })).toBeVisible();
});

test("a stopped source receives nothing; started again it goes on and nothing is lost or twice", async ({
  launch,
}) => {
  const { window } = await launch({ args: ["--source", "demo"] });
  await expect(firstRow(window)).toBeVisible();
  await runCommand(window, "source: stop");
  await expect(window.getByRole("region", { name: "Sources" })).toContainText("stopped by you");
  await expect
    .poll(async () => {
      const { ingest, pipeline } = await readStatus(window);
      return ingest !== null && pipeline !== null && pipeline.checkpoint >= ingest.head;
    })
    .toBe(true);
  const before = await countBronze(window);
  expect(await countBronze(window)).toBe(before);
  await runCommand(window, "source: start");
  await expect.poll(() => countBronze(window)).toBeGreaterThan(before + 100);
  // Holes of the feed's own offsets would stand here.
  expect((await readStatus(window)).pipeline?.activeHoles.count).toBe(0);
});

test("a folder is no recording, which is said, and the source that ran goes on", async ({
  launch,
  dataFolder,
}) => {
  const folder = join(dataFolder, "a folder");
  mkdirSync(folder);
  const { app, window } = await launch({ args: ["--source", "demo"] });
  await expect(firstRow(window)).toBeVisible();
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
  }, folder);
  await window.keyboard.press("Control+o");
  await expect(window.locator(".notification.tone-bad")).toContainText("folder, pipe or device");
  const before = (await readStatus(window)).pipeline?.checkpoint ?? 0;
  await expect.poll(async () => (await readStatus(window)).pipeline?.checkpoint ?? 0).toBeGreaterThan(before);
});
