import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { DuckDBInstance } from "@duckdb/node-api";
import type { ExportManifest } from "#storage/query/export-manifest.ts";
import { expect, test } from "../support/launch.ts";
import { countRows } from "../support/lake.ts";
import { openRoom, paintTheme, runCommand } from "../support/rooms.ts";
import { firstRow, saveScreen } from "../support/workbench.ts";

const DEMO = ["--source", "demo", "--rate", "200"];

/** What the room shows: the snapshot it reads, and the rows of the open table. */
async function shown(window: Page): Promise<{ snapshotId: number; rows: number }> {
  const number = (text: string): number => Number(text.replaceAll(/[^\d]/gu, ""));
  // Both in one look: the room may refresh between two.
  const [snapshot, rows] = await window.evaluate(() => [
    document.querySelector(".snapshot-bar span:nth-of-type(2)")?.textContent ?? "",
    document.querySelector(".table-facts dd")?.textContent ?? "",
  ]);
  return { snapshotId: number(snapshot ?? ""), rows: number(rows ?? "") };
}

test("a table's rows equal a count at the same snapshot, also as of an older one; the gold tables are exported and read back", async ({
  launch,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "highwater-e2e-tables-"));
  try {
    const { app, window } = await launch({ args: DEMO });
    await expect(firstRow(window)).toBeVisible();
    await openRoom(window, "Tables");
    await window.getByRole("option", { name: /^changes/ }).click();
    await expect.poll(async () => (await shown(window)).rows).toBeGreaterThan(500);
    const now = await shown(window);
    expect(await countRows(window, "silver.changes", now.snapshotId)).toBe(now.rows);

    await window.getByRole("tab", { name: "Newest rows" }).click();
    await expect(window.locator(".table-page .grid-row").nth(5)).toBeVisible();
    for (const theme of ["light", "dark"] as const) {
      await paintTheme(window, theme);
      await saveScreen(window, `tables-rows-${theme}`);
    }
    await window.getByRole("tab", { name: "Snapshots" }).click();
    await window
      .locator(".snapshot-row")
      .nth(12)
      .getByRole("button", { name: /Read as of/ })
      .click();
    await expect(window.locator(".snapshot-bar")).toContainText("As of snapshot");
    await expect.poll(async () => (await shown(window)).snapshotId).toBeLessThan(now.snapshotId + 200);
    const past = await shown(window);
    expect(await countRows(window, "silver.changes", past.snapshotId)).toBe(past.rows);
    await saveScreen(window, "tables-snapshots-dark");
    await window.keyboard.press("Escape");
    await expect(window.locator(".snapshot-bar")).toContainText("Newest snapshot");

    const to = join(folder, "gold set");
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    }, to);
    await runCommand(window, "export: the gold tables as parquet");
    const told = window.locator(".notification", { hasText: "written to gold set" });
    await expect(told).toContainText("4 tables of snapshot");
    await expect(told.getByRole("button", { name: "Show in folder" })).toBeVisible();
    await saveScreen(window, "export-told-dark");

    const manifest = JSON.parse(readFileSync(join(to, "manifest.json"), "utf8")) as ExportManifest;
    const connection = await (await DuckDBInstance.create()).connect();
    for (const { file, rows, sha256 } of manifest.files) {
      const bytes = readFileSync(join(to, file));
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
      const read = await connection.runAndReadAll(
        `SELECT count(*)::INTEGER AS n, any_value(typeof(window_start)) AS t FROM read_parquet('${join(to, file)}')`,
      );
      expect(read.getRowObjects()).toEqual([{ n: rows, t: "TIMESTAMP WITH TIME ZONE" }]);
    }
    connection.closeSync();
    // A folder with files in it is nobody's to overwrite; the window says what to do.
    await runCommand(window, "export: the gold tables as csv");
    await expect(window.locator(".notification.tone-bad")).toContainText("is not empty");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
