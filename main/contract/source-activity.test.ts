import { expect, test } from "vitest";
import {
  EXAMPLE_NOW_MS,
  exampleIngest,
  examplePipeline,
  exampleStatus,
} from "../bridge/status.test-support.ts";
import type { AppStatus } from "./app-status.ts";
import { sourceActivity, waitingWindowRows } from "./source-activity.ts";

function at(
  ingest: Partial<AppStatus["ingest"] & object>,
  pipeline: Partial<AppStatus["pipeline"] & object> = {},
) {
  return exampleStatus({ ingest: exampleIngest(ingest), pipeline: examplePipeline(pipeline) });
}

test("C43: only liveness signals are neither receiving nor quiet, and open windows then wait for a newer event", () => {
  const signals = at({}, { filteredSinceEdit: 3, lastEditMs: EXAMPLE_NOW_MS - 60_000 });
  expect(sourceActivity(signals)).toEqual({ kind: "no-edits", sinceMs: EXAMPLE_NOW_MS - 60_000 });
  expect(waitingWindowRows(signals)).toBe(120);
  expect(sourceActivity(at({}, { filteredSinceEdit: 2 }))).toEqual({ kind: "edits" });
});

test("says receiving only while records came just now, and nothing of a connection that is not open", () => {
  expect(sourceActivity(at({}))).toEqual({ kind: "edits" });
  expect(waitingWindowRows(at({}))).toBe(0);
  const lastRecordMs = EXAMPLE_NOW_MS - 15_001;
  expect(sourceActivity(at({ lastRecordMs }))).toEqual({ kind: "quiet", sinceMs: lastRecordMs });
  expect(sourceActivity(at({ connection: { state: "open", sinceMs: 0, receiving: false } }))).toEqual({
    kind: "nothing-yet",
  });
  for (const connection of [{ state: "paused" }, { state: "ended", reason: "end" }] as const) {
    expect(sourceActivity(at({ connection }))).toBeNull();
    expect(waitingWindowRows(at({ connection }))).toBe(120);
  }
});
