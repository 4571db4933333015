import { expect, test } from "vitest";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import {
  EXAMPLE_NOW_MS,
  exampleIngest,
  examplePipeline,
  exampleStatus,
} from "../bridge/status.test-support.ts";
import { describeSource, formatSettings, formatStatusLine, formatSummary } from "./terminal-text.ts";

test("C49: says which settings hold and from which offset on, and what of the wish was refused", () => {
  const inForce = {
    ...DEFAULT_RESULT_SETTINGS,
    allowedLatenessMs: 10_000,
    disabledRules: ["length-consistency"],
    dedupMaxIds: 50,
  };
  const pipeline = examplePipeline({ settings: { sinceOffset: 1_234, inForce, rulesStillOn: [] } });
  const [line, ...rest] = formatSettings(exampleStatus({ pipeline }));
  expect(line).toContain("settings in force since offset 1,234: allowed lateness 10 s · dedup horizon 1 h");
  expect(line).toContain("ids held at most 50");
  expect(line).toContain("rules off length-consistency");
  expect(line).toContain("window of edits 1 min");
  expect(rest).toEqual([]);
  const problem = "/hw/workspace/settings.json: result.allowedLatenessMs: Too small.";
  const refused = exampleStatus({
    settingsFile: { path: "/hw/workspace/settings.json", problem, changes: 0 },
  });
  expect(formatSettings(refused).at(-1)).toBe(`refused: ${problem}`);
  expect(formatSettings(exampleStatus({ pipeline: null }))[0]).toMatch(/not known before the first commit/);
});

test("C43: alive without edits reads unlike receiving, idle and dead, and open windows say what they wait for", () => {
  const word = (ingest: Parameters<typeof exampleIngest>[0], pipeline = {}) =>
    describeSource(exampleStatus({ ingest: exampleIngest(ingest), pipeline: examplePipeline(pipeline) }));
  const words = [
    word({}),
    word({}, { filteredSinceEdit: 5, lastEditMs: EXAMPLE_NOW_MS - 61_000 }),
    word({ lastRecordMs: EXAMPLE_NOW_MS - 20_000 }),
    word({ connection: { state: "idle" } }),
    word({ connection: { state: "backing-off", untilMs: EXAMPLE_NOW_MS + 900, attempt: 1, reason: "dead" } }),
  ];
  expect(words).toEqual([
    "receiving",
    "alive, no edits for 1 m 1 s",
    "connected, nothing for 20.0 s",
    "idle",
    "retrying in 900 ms: dead",
  ]);
  const quiet = exampleStatus({ pipeline: examplePipeline({ filteredSinceEdit: 5 }) });
  expect(formatStatusLine(quiet)).toContain("120 window rows waiting for a newer event");
  expect(formatSummary(quiet, 1)).toContain("120 window rows waiting for a newer event");
  expect(formatStatusLine(exampleStatus())).not.toContain("waiting");
});

test("holes and losses stand in the line as long as the lake lists them", () => {
  const pipeline = examplePipeline({
    activeHoles: { count: 2, newest: [] },
    losses: { count: 1, newest: [] },
  });
  expect(formatStatusLine(exampleStatus({ pipeline }))).toContain("holes 2 · places with lost records 1");
});
