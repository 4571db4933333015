import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { IngestTelemetry } from "#pipeline/protocol/telemetry.ts";
import { checkMark, dataFolderFor, foldersOfSwitches, markOf, userDataFolder } from "./data-location.ts";
import { nextReach, REACH_LIMIT_MS, startReach } from "./reach.ts";
import { parseSource } from "./source-spec.ts";
import { readWish } from "./wish.ts";

const INGEST: IngestTelemetry = {
  worker: "ingest",
  source: "recentchange",
  url: "http://x/",
  connection: { state: "connecting", attempt: 1 },
  head: 0,
  appended: 0,
  appendedBytes: 0,
  cutFrames: 0,
  connections: 1,
  bufferedBytes: 0,
  recordsPerSecond: 0,
  logBytes: 0,
  segments: 1,
  lastReceivedMs: null,
  lastRecordMs: null,
  serverOffsetMs: null,
  quarantined: [],
  logHeld: null,
  rssBytes: 0,
  atMs: 0,
};

test("the live feed counts as unreachable after 10 s without a record, with the reason, and never again once it was reached", () => {
  const start = startReach(0);
  expect(nextReach(start, REACH_LIMIT_MS - 1, INGEST).unreachable).toBeNull();
  expect(nextReach(start, REACH_LIMIT_MS, INGEST).unreachable).toBe("No answer for 10 s.");
  const backingOff = {
    ...INGEST,
    connection: { state: "backing-off", untilMs: 1, attempt: 3, reason: "503 from the server" },
  } as const;
  expect(nextReach(start, REACH_LIMIT_MS, backingOff).unreachable).toBe("503 from the server.");
  const failed = {
    ...INGEST,
    connection: { state: "failed", code: "x", reason: "Refused", remedy: "y" },
  } as const;
  expect(nextReach(start, 1, failed).unreachable).toBe("Refused.");
  const reached = nextReach(start, 500, {
    ...INGEST,
    connection: { state: "open", sinceMs: 0, receiving: true },
  });
  expect(nextReach(reached, 60_000, INGEST)).toMatchObject({ reached: true, unreachable: null });
});

test("a paused start is not unreachable", () => {
  const paused = { ...INGEST, connection: { state: "paused" } } as const;
  expect(nextReach(startReach(0), 60_000, paused).unreachable).toBeNull();
});

test("reads every form of --source and refuses others with the allowed forms", () => {
  expect(parseSource("live").spec).toMatchObject({
    url: "https://stream.wikimedia.org/v2/stream/recentchange",
  });
  expect(parseSource("https://stream.wikimedia.org/v2/stream/recentchange").source).toBe("recentchange");
  expect(() => parseSource("https://me:secret@feed.test/x")).toThrow(
    /^--source takes an address without a name/,
  );
  expect(parseSource("demo")).toEqual({ mode: "demo", spec: null, source: "demo" });
  expect(parseSource("http://localhost:8099/x").source).toMatch(/^url-localhost-8099-[0-9a-f]{6}$/);
  expect(parseSource("file:./Rec (1).ndjson").source).toMatch(/^file-rec-1-ndjson-[0-9a-f]{6}$/);
  expect(parseSource("file:测试.ndjson").source).toMatch(/^file-ndjson-[0-9a-f]{6}$/);
  for (const bad of ["", "lve", "file:", "ftp://x", "http://"])
    expect(() => parseSource(bad)).toThrow(/--source is live, demo/);
});

test("the demo that stands in has a folder of its own beside the one asked for", () => {
  expect(dataFolderFor("live", "/data/hw/", "live")).toBe("/data/hw");
  expect(dataFolderFor("demo", "/data/hw/", "live")).toBe("/data/hw-demo");
  expect(dataFolderFor("demo", "/data/hw", "demo")).toBe("/data/hw");
});

test("the folders whose window place counts are the one in use and those that a switch leads to", () => {
  expect(foldersOfSwitches("/data/hw", "/data/hw", "live")).toEqual([
    "/data/hw",
    "/data/hw-demo",
    "/data/hw-file",
  ]);
  expect(foldersOfSwitches("/data/hw", "/data/hw", "demo")).toEqual([
    "/data/hw",
    "/data/hw-live",
    "/data/hw-file",
  ]);
});

test("a relative XDG_DATA_HOME is ignored, as its specification demands", () => {
  expect(userDataFolder({ HOME: "/h", XDG_DATA_HOME: "relative" }, "linux")).toBe(
    "/h/.local/share/highwater",
  );
  expect(userDataFolder({ HOME: "/h", XDG_DATA_HOME: "/x" }, "linux")).toBe("/x/highwater");
});

test("demo data never mixes with real data", () => {
  const folder = mkdtempSync(join(tmpdir(), "hw-mark-"));
  const path = join(folder, "folder.json");
  expect(checkMark(path, "demo")).toBe(false);
  writeFileSync(path, JSON.stringify(markOf("demo")));
  expect(checkMark(path, "demo")).toBe(true);
  expect(() => checkMark(path, "live")).toThrow(/holds demo data/);
  writeFileSync(path, JSON.stringify(markOf("live")));
  expect(() => checkMark(path, "demo")).toThrow(/holds real data/);
  expect(() => checkMark(path, "file")).not.toThrow();
  // An empty or damaged mark is neither: guessing could mix the two.
  writeFileSync(path, "");
  expect(() => checkMark(path, "demo")).toThrow(/does not say whether .* demo or real/);
  rmSync(path);
  mkdirSync(path);
  expect(() => checkMark(path, "demo")).toThrow(/cannot be read/);
  rmSync(folder, { recursive: true });
});

test("a missing, unreadable or invalid settings file wishes nothing, and only a bad one is told", () => {
  const folder = mkdtempSync(join(tmpdir(), "hw-wish-"));
  const path = join(folder, "settings.json");
  expect(readWish(path)).toMatchObject({ hasWish: false, problem: null });
  writeFileSync(path, "");
  expect(readWish(path)).toMatchObject({ hasWish: false, problem: expect.stringContaining("is not JSON") });
  writeFileSync(path, '{"result":{"allowedLatenessMs":-5}}');
  expect(readWish(path)).toMatchObject({
    hasWish: false,
    problem: expect.stringContaining("result.allowedLatenessMs"),
  });
  writeFileSync(path, '{"result":{"allowedLatenessMs":10000}}');
  expect(readWish(path).settings.result).toMatchObject({
    allowedLatenessMs: 10_000,
    dedupHorizonMs: 3_600_000,
  });
  rmSync(folder, { recursive: true });
});
