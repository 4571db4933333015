import type { Page } from "@playwright/test";
import { HOSTILE_TEXTS } from "#renderer/components/hostile-texts.test-support.ts";
import { serveEdits } from "../support/edit-feed.ts";
import { expect, test } from "../support/launch.ts";
import { openRoom } from "../support/rooms.ts";
import { saveScreen } from "../support/workbench.ts";

/** Late by an hour, behind the ordinary ones that set the watermark. */
const AN_HOUR = 3_600;
/** One line in a bdi as high as its row allows; a pixel of rounding. */
const ROW_HEIGHT_PX = 24;

/** What of the rows on screen is not one line of isolated text within its cell. */
function oddRows(window: Page): Promise<string[]> {
  return window.locator(".rows .row").evaluateAll((rows, height) => {
    const isOff = (px: number): boolean => Math.abs(px - height) > 1;
    const oddText = (text: HTMLElement): string[] => {
      const isIsolated = text.dir === "auto" && getComputedStyle(text).unicodeBidi === "isolate";
      const isText = [...text.querySelectorAll("*")].every((child) => child.className === "mark");
      const found = [isIsolated ? "" : "not isolated", isText ? "" : "an element is made of it"];
      return [...found, text.title.length > 1_000 ? `a tooltip of ${text.title.length} characters` : ""];
    };
    const oddCell = (cell: Element): string => {
      const isOver = getComputedStyle(cell).overflowX !== "hidden" && cell.scrollWidth > cell.clientWidth + 1;
      return isOver ? `${cell.className} runs over` : "";
    };
    const odd = rows.flatMap((row) => {
      const box = row.getBoundingClientRect();
      const next = row.nextElementSibling?.getBoundingClientRect();
      const isBeside = next === undefined || !isOff(Math.abs(next.top - box.top));
      return [
        isOff(box.height) ? `a row of ${box.height} px` : "",
        isBeside ? "" : "rows lie over each other",
        ...[...row.children].map(oddCell),
        ...[...row.querySelectorAll("bdi")].flatMap(oddText),
      ];
    });
    const isForeign = document.querySelector("img, script:not([src]), iframe, b") !== null;
    return [
      ...odd,
      isForeign ? "an element of the feed's" : "",
      "wasRun" in globalThis ? "a script ran" : "",
    ].filter((word) => word !== "");
  }, ROW_HEIGHT_PX);
}

test("hostile and multilingual text of a feed is one line of isolated text in every list", async ({
  launch,
}) => {
  const texts = HOSTILE_TEXTS.map(({ text }) => text);
  const edits = [
    ...texts.map((text) => ({ title: text, user: text, comment: text })),
    ...texts.map((text) => ({ title: text, user: text, agoSeconds: AN_HOUR })),
  ];
  const broken = texts.map((text, at) => `{"nth":${at},"text":${JSON.stringify(text)},}`);
  await using feed = await serveEdits(edits, broken);
  const { window } = await launch({ args: ["--source", feed.url] });
  const rows = window.locator(".rows .row");
  await expect(rows).toHaveCount(edits.length, { timeout: 30_000 });
  await expect(window.locator(".rows .mark").first()).toBeVisible();
  expect(await oddRows(window)).toEqual([]);
  await saveScreen(window, "hostile-live-edits");

  await window.keyboard.press("j");
  for (let at = 0; at < 3; at += 1) await window.keyboard.press("j");
  await window.keyboard.press("Enter");
  await expect(window.getByLabel("Inspector").locator(".headline")).toBeVisible();
  await window.getByRole("tab", { name: "JSON" }).click();
  await expect(window.locator(".json-tree .json-string").first()).toBeVisible();
  await saveScreen(window, "hostile-inspector");
  await window.keyboard.press("Escape");

  await openRoom(window, "Late arrivals");
  await expect(rows).toHaveCount(texts.length, { timeout: 30_000 });
  expect(await oddRows(window)).toEqual([]);
  await saveScreen(window, "hostile-late-arrivals");

  await openRoom(window, "Dead letters");
  await expect(rows).toHaveCount(broken.length, { timeout: 30_000 });
  expect(await oddRows(window)).toEqual([]);
  await window.keyboard.press("j");
  await window.keyboard.press("Enter");
  const inspector = window.getByLabel("Inspector");
  await expect(inspector.locator(".json-break .break")).toHaveText("}");
  await saveScreen(window, "hostile-dead-letters");
  await inspector.getByRole("tab", { name: "Bytes" }).click();
  await expect(inspector.getByText("valid UTF-8", { exact: false })).toBeVisible();
});

test("C13: odd titles open the address that the feed gave; what is no https address of the source's hosts stays closed", async ({
  launch,
}) => {
  const titles = [
    ["A/2020", "A/2020"],
    [".07%", ".07%25"],
    ["C++", "C%2B%2B"],
    ["Who?", "Who%3F"],
    ["X & Y #1", "X_%26_Y_%231"],
    ["User talk:A B", "User_talk:A_B"],
  ] as const;
  const good = titles.map(([title, path]) => ({ title, uri: `https://en.wikipedia.org/wiki/${path}` }));
  await using feed = await serveEdits([
    ...good,
    { title: "evil", uri: "javascript:alert(1)" },
    { title: "elsewhere", uri: "https://evil.example/wiki/A" },
  ]);
  const { app, window } = await launch({ args: ["--source", feed.url] });
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = (url) => Promise.resolve(void opened.push(url));
  });
  const opened = (): Promise<unknown> => app.evaluate((): unknown => Reflect.get(globalThis, "opened"));
  await expect(window.locator(".rows .row")).toHaveCount(good.length + 2, { timeout: 30_000 });
  // Newest first: the two that must stay closed, then the good ones from the last to the first.
  for (const refused of [
    "evil.example is not a host of this source",
    "only https is opened, not javascript:",
  ]) {
    await window.keyboard.press("j");
    await window.keyboard.press("o");
    await expect(window.getByText(refused)).toBeVisible();
  }
  expect(await opened()).toEqual([]);
  for (const { uri } of good.toReversed()) {
    await window.keyboard.press("j");
    await window.keyboard.press("o");
    await expect.poll(opened).toContain(uri);
  }
  await window.locator(".rows .row").first().click({ button: "right" });
  await expect(window.getByRole("menu")).toBeVisible();
  await saveScreen(window, "row-menu");
  await window.keyboard.press("Escape");
  await window.keyboard.press("ControlOrMeta+C");
  await expect(window.getByText(/Copied the JSON of record/)).toBeVisible();
  const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
  expect(JSON.parse(copied)).toMatchObject({
    title: "elsewhere",
    meta: { uri: "https://evil.example/wiki/A" },
  });
});
