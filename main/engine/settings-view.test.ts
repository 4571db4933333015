import { expect, test } from "vitest";
import { RULE_IDS } from "#pipeline/protocol/rule-ids.ts";
import { DEFAULT_SETTINGS } from "#storage/model/settings.ts";
import { SETTING_TEXTS } from "../contract/setting-fields.ts";
import { settingFields, settingPaths, valueAt } from "./settings-view.ts";

test("every setting of the schema has its text, its effect and its bounds, and none more", () => {
  expect(SETTING_TEXTS.map(({ path }) => path).toSorted()).toEqual([...settingPaths()].toSorted());
  const withoutSentence = SETTING_TEXTS.filter(
    ({ title, description }) => title === "" || !description.endsWith("."),
  );
  expect(withoutSentence).toEqual([]);
});

test("bounds and defaults are the schema's", () => {
  const lateness = settingFields().find(({ path }) => path === "result.allowedLatenessMs");
  expect(lateness).toMatchObject({ min: 0, max: 86_400_000, defaultValue: 120_000, effect: "offset" });
  const numbers = settingFields().filter(({ kind }) => kind !== "text" && kind !== "rules");
  expect(numbers.filter(({ min, defaultValue }) => min === null || typeof defaultValue !== "number")).toEqual(
    [],
  );
});

test("what decides results takes effect at an offset, and nothing else does", () => {
  for (const { path, effect } of settingFields())
    expect([path, effect === "offset"]).toEqual([path, path.startsWith("result.")]);
});

test("a value is found by its path", () => {
  expect(valueAt(DEFAULT_SETTINGS, "result.windows.topPagesMs")).toBe(300_000);
  expect(valueAt(DEFAULT_SETTINGS, "result.nothing")).toBeUndefined();
  expect(RULE_IDS.length).toBeGreaterThan(5);
});
