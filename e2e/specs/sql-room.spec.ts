import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "../support/launch.ts";
import { firstRow, saveScreen } from "../support/workbench.ts";

const DEMO = ["--source", "demo", "--rate", "200"];
/** Far more rows than any machine counts while the test runs. */
const ENDLESS = "SELECT count(*) FROM range(10000000000) a, range(1000) b WHERE hash(a.range, b.range) = 0";
const ROWS = "SELECT log_offset, event_time, title FROM silver.changes ORDER BY log_offset LIMIT 20";

test("keyboard only: a statement runs, a heavy one is cancelled while the stream goes on, the result is saved and read back", async ({
  launch,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "highwater-e2e-sql-"));
  try {
    const { app, window } = await launch({ args: DEMO });
    await expect(firstRow(window)).toBeVisible();
    await window.keyboard.press("F1");
    await window.keyboard.type("SQL: open");
    await window.keyboard.press("Enter");
    const editor = window.getByLabel("SQL statement");
    await expect(editor).toBeFocused();

    const write = async (text: string): Promise<void> => {
      await window.keyboard.press("ControlOrMeta+A");
      await window.keyboard.insertText(text);
    };
    await write(ENDLESS);
    await window.keyboard.press("ControlOrMeta+Enter");
    await expect(window.getByRole("button", { name: /cancel what is running/ })).toBeVisible();
    const checkpoint = async (): Promise<number> => {
      const answer = await window.evaluate(() => globalThis.highwater.invoke("app.status", {}));
      return answer.ok ? (answer.value.pipeline?.checkpoint ?? 0) : 0;
    };
    const before = await checkpoint();
    await expect.poll(checkpoint).toBeGreaterThan(before + 200);
    await window.keyboard.press("Escape");
    await expect(window.locator(".sql-room .message")).toContainText(/cancel/i);

    await write(ROWS);
    await window.keyboard.press("ControlOrMeta+Enter");
    await expect(window.locator(".result-bar .facts-line")).toContainText("20 rows · snapshot #");
    await expect(window.getByRole("columnheader", { name: /event_time/ })).toContainText(
      "TIMESTAMP WITH TIME ZONE",
    );
    for (const theme of ["dark", "light"] as const) {
      await window.evaluate((to) => globalThis.highwater.invoke("theme.set", { theme: to }), theme);
      await saveScreen(window, `sql-room-${theme}`);
    }

    const path = join(folder, "rows 1.parquet");
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    }, path);
    await window.keyboard.press("F1");
    await window.keyboard.type("save the result as Parquet");
    await window.keyboard.press("Enter");
    await expect(window.getByRole("status").filter({ hasText: "SHA-256" })).toContainText("20 rows");

    const database = await DuckDBInstance.create();
    const connection = await database.connect();
    const read = await connection.runAndReadAll(
      `SELECT count(*)::INTEGER AS n, any_value(typeof(event_time)) AS t FROM read_parquet('${path}')`,
    );
    expect(read.getRowObjects()).toEqual([{ n: 20, t: "TIMESTAMP WITH TIME ZONE" }]);
    connection.closeSync();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
