import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { ExportManifest } from "#storage/query/export-manifest.ts";
import { expect, test } from "../support/launch.ts";
import { runCommand } from "../support/rooms.ts";
import { firstRow, paintedOffsets, readStatus, saveScreen } from "../support/workbench.ts";

const DEMO = ["--source", "demo", "--rate", "200"];
/** Far more rows than any machine counts while the test runs. */
const HEAVY =
  "SELECT count(*) FROM silver.changes a, silver.changes b, range(10000000) r WHERE hash(a.title, b.title, r.range) = 0";
const MOST_EDITED = `SELECT wiki, title, edits FROM gold.top_pages_5min
ORDER BY window_start DESC, rank LIMIT 5`;

test("the main story by keyboard alone: watch, pause, filter, inspect, kill, see the card, query, cancel, export, read the files back", async ({
  launch,
}) => {
  test.setTimeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), "highwater-e2e-story-"));
  try {
    const { app, window } = await launch({ args: DEMO });
    const press = (key: string): Promise<void> => window.keyboard.press(key);
    await test.step("watch", async () => {
      await expect(firstRow(window)).toBeVisible();
      await expect(window.getByRole("region", { name: "Welcome" })).toBeVisible();
    });
    await test.step("pause: nothing moves, waiting rows are counted", async () => {
      await press("Space");
      const before = await paintedOffsets(window);
      await expect(window.getByText(/rows? wait/).first()).toBeVisible();
      expect(await paintedOffsets(window)).toEqual(before);
    });
    await test.step("filter and inspect", async () => {
      await press("/");
      await window.keyboard.type("enwiki");
      await press("Enter");
      await expect(firstRow(window)).toContainText("enwiki");
      await press("j");
      await press("j");
      await press("Enter");
      await expect(window.getByLabel("Inspector", { exact: true })).toContainText("enwiki");
      await saveScreen(window, "story-1-inspect");
      await press("Escape");
      await press("/");
      await press("Escape");
      await press("Escape");
      await press("Space");
    });
    await test.step("kill the pipeline and see the card", async () => {
      await runCommand(window, "Pipeline: kill the pipeline worker");
      const card = window.locator(".kill-card").first();
      await expect(card).toBeVisible({ timeout: 60_000 });
      await expect(card, await card.innerText()).toHaveAttribute("data-verdict", "pass");
      await expect(card).toContainText("0 lost · 0 doubled");
      await expect(window.locator('[data-step="kill"]')).toHaveAttribute("data-done", "true");
      await saveScreen(window, "story-2-card");
    });
    await test.step("ask: the most edited pages; cancel a heavy statement while the stream goes on", async () => {
      await press("Control+p");
      await window.keyboard.type("SQL");
      await press("Enter");
      const editor = window.getByLabel("SQL statement");
      await expect(editor).toBeFocused();
      await press("Control+a");
      await window.keyboard.insertText(MOST_EDITED);
      await press("Control+Enter");
      await expect(window.getByRole("columnheader", { name: /edits/ })).toBeVisible();
      await press("Control+a");
      await window.keyboard.insertText(HEAVY);
      await press("Control+Enter");
      const checkpoint = async (): Promise<number> => (await readStatus(window)).pipeline?.checkpoint ?? 0;
      const before = await checkpoint();
      await expect.poll(checkpoint).toBeGreaterThan(before + 200);
      await press("Escape");
      await expect(window.locator(".sql-room")).toContainText(/cancel/i);
      await saveScreen(window, "story-3-cancelled");
    });
    await test.step("export the gold tables and read them back", async () => {
      const to = join(folder, "report");
      await app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
      }, to);
      await runCommand(window, "export: the gold tables as parquet");
      await expect(window.locator(".notification", { hasText: "written to report" })).toBeVisible();
      const manifest = JSON.parse(readFileSync(join(to, "manifest.json"), "utf8")) as ExportManifest;
      const connection = await (await DuckDBInstance.create()).connect();
      for (const { file, rows, sha256 } of manifest.files) {
        expect(
          createHash("sha256")
            .update(readFileSync(join(to, file)))
            .digest("hex"),
        ).toBe(sha256);
        const read = await connection.runAndReadAll(
          `SELECT count(*)::INTEGER AS n FROM read_parquet('${join(to, file)}')`,
        );
        expect(read.getRowObjects()).toEqual([{ n: rows }]);
      }
      connection.closeSync();
      await saveScreen(window, "story-4-exported");
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
