import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FRESH_LAYOUT, placeWindow, readLayout, writeLayout } from "./window-layout.ts";

/** No file of these tests is in a folder whose fence is held. */
const NOWHERE = { folder: "", onSetAside: () => undefined };

const screen = { x: 0, y: 0, width: 1_920, height: 1_080 };
const second = { x: 1_920, y: 0, width: 1_280, height: 1_024 };

describe("window layout", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "highwater-layout-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("comes back as it was saved", async () => {
    const layout = {
      bounds: { x: 10, y: 20, width: 800, height: 600 },
      isMaximized: true,
      theme: "light",
    } as const;
    await writeLayout(folder, layout);
    expect(await readLayout([folder], NOWHERE)).toEqual(layout);
  });

  test("the layout saved last counts, in whichever of the folders it was: a run that fell back saved it elsewhere", async () => {
    const [live, demo, never] = ["live", "demo", "never"].map((name) => join(folder, name));
    if (live === undefined || demo === undefined || never === undefined) throw new Error("no folders");
    for (const path of [live, demo]) mkdirSync(path);
    await writeLayout(live, { ...FRESH_LAYOUT, theme: "dark" });
    await writeLayout(demo, { ...FRESH_LAYOUT, theme: "light" });
    utimesSync(join(live, "layout.json"), 1_000, 1_000);
    expect(await readLayout([live, demo, never], NOWHERE)).toMatchObject({ theme: "light" });
    utimesSync(join(live, "layout.json"), 4_000_000_000, 4_000_000_000);
    expect(await readLayout([live, demo, never], NOWHERE)).toMatchObject({ theme: "dark" });
    writeFileSync(join(live, "layout.json"), "garbage");
    expect(await readLayout([live, demo, never], NOWHERE)).toMatchObject({ theme: "light" });
  });

  test.each(["", "garbage", "[]", "null", '"x"'])(
    "C41: starts fresh on a layout.json of `%s`",
    async (text) => {
      writeFileSync(join(folder, "layout.json"), text);
      expect(await readLayout([folder], NOWHERE)).toEqual(FRESH_LAYOUT);
    },
  );

  test("keeps what can be used of a damaged layout", async () => {
    writeFileSync(join(folder, "layout.json"), '{"bounds":{"x":"a"},"theme":"light"}');
    expect(await readLayout([folder], NOWHERE)).toEqual({ bounds: null, isMaximized: false, theme: "light" });
  });

  test("C38: a window saved on a screen that is gone opens on one that is there", () => {
    const saved = { x: 2_000, y: 100, width: 1_000, height: 700 };
    expect(placeWindow(saved, [screen, second])).toEqual(saved);
    expect(placeWindow(saved, [screen])).toEqual({ width: 1_000, height: 700 });
    expect(placeWindow({ ...saved, x: 9_000, y: -5_000 }, [screen])).toEqual({ width: 1_000, height: 700 });
    expect(placeWindow({ ...saved, x: 10, y: -600 }, [screen])).not.toHaveProperty("y");
  });

  test("C38: a saved size that no screen has is cut to the screen it opens on", () => {
    const absurd = { x: 0, y: 0, width: 99_999, height: 99_999 };
    expect(placeWindow(absurd, [screen])).toEqual({ x: 0, y: 0, width: 1_920, height: 1_080 });
    expect(placeWindow(absurd, [])).toEqual({ width: 8_192, height: 8_192 });
  });

  test("a first window is never larger than the screen", () => {
    expect(placeWindow(null, [{ ...screen, width: 1_024, height: 700 }])).toEqual({
      width: 1_024,
      height: 700,
    });
  });
});
