import { describe, expect, test } from "vitest";
import { exampleSettings } from "#main/bridge/status.test-support.ts";
import type { SettingField } from "#main/contract/setting-fields.ts";
import { changedOnly, readValue, valueAt, withValue, writeValue } from "./setting-values.ts";

const { fields, settings } = exampleSettings();

function field(path: string): SettingField {
  const found = fields.find((candidate) => candidate.path === path);
  if (found === undefined) throw new Error(`no setting ${path}`);
  return found;
}

const lateness = field("result.allowedLatenessMs");

describe("values of settings", () => {
  test.each([
    ["120 s", 120_000],
    ["2min", 120_000],
    ["1.5 min", 90_000],
    ["120000", 120_000],
    ["0", 0],
    ["1 d", 86_400_000],
  ])("%s is a duration of %d ms", (text, value) => {
    expect(readValue(lateness, text)).toEqual({ ok: true, value });
  });

  test.each(["", "soon", "2 weeks", "-1 s", "1 2 3 x", "0.0001 ms"])(
    "%j is none, and says what to type",
    (text) => {
      expect(readValue(lateness, text)).toMatchObject({
        ok: false,
        message: expect.stringContaining("120 s"),
      });
    },
  );

  test("the bounds are said in the unit of the setting", () => {
    expect(readValue(lateness, "2 d")).toEqual({ ok: false, message: "At most 1 d." });
    expect(readValue(field("ingest.segmentMaxBytes"), "1 KiB")).toEqual({
      ok: false,
      message: "At least 64 KiB.",
    });
  });

  test("every value of every setting comes back from what is shown of it", () => {
    for (const one of fields) {
      const value = valueAt(settings, one.path);
      expect([one.path, readValue(one, writeValue(one, value))]).toEqual([one.path, { ok: true, value }]);
    }
  });

  test("the file gets only what differs from the defaults", () => {
    const changed = withValue(settings, "result.windows.topPagesMs", 60_000);
    expect(changedOnly(changed, fields)).toEqual({ result: { windows: { topPagesMs: 60_000 } } });
    expect(changedOnly(withValue(changed, "result.windows.topPagesMs", 300_000), fields)).toEqual({});
  });
});
