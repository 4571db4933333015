import { expect, test } from "vitest";
import { parseWindowArguments } from "./window-arguments.ts";

test("reads data folder, source and rate among Chromium's switches and the app's folder", () => {
  const args = ["--no-sandbox", "--log-level=3", "/app", "--data", "/d", "--source=demo", "--rate", "200"];
  const parsed = parseWindowArguments(args);
  expect([parsed.dataFolder, parsed.source, parsed.feed.rate]).toEqual(["/d", "demo", 200]);
});

test("leaves everything to the defaults when nothing is said", () => {
  expect(parseWindowArguments(["/app"])).toMatchObject({ dataFolder: null, source: null });
});

test("refuses a bad value with the flag's name", () => {
  expect(() => parseWindowArguments(["--rate", "fast"])).toThrow(/--rate/);
});
