import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { GOLD_TABLES } from "./registry.ts";

test("every gold table file is registered, and nothing else is", () => {
  const names = new Set(readdirSync(import.meta.dirname));
  const folds = [...names].filter((name) => names.has(name.replace(/\.ts$/, "-table.ts")));
  expect(folds.length).toBe(GOLD_TABLES.length);
  expect([...names].filter((name) => name.endsWith("-table.ts")).length).toBe(GOLD_TABLES.length);
});

test("a row has as many values as its table has columns behind the window's own", () => {
  for (const gold of GOLD_TABLES) {
    const window = gold.openWindow();
    window.fold({
      logOffset: 1,
      eventTimeUs: 0,
      watermarkUs: null,
      latenessMs: 3,
      type: "edit",
      wiki: "w",
      title: "T",
      user: "U",
      bot: true,
      bytesChanged: -2,
      amends: false,
    });
    expect(window.rows("all")[0]?.length).toBe(gold.table.columns.length - 4);
  }
});
