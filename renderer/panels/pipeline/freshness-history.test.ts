import { describe, expect, test } from "vitest";
import {
  EXAMPLE_NOW_MS,
  examplePipeline,
  exampleStatus,
  exampleWorker,
} from "#main/bridge/status.test-support.ts";
import * as history from "./freshness-history.ts";

function at(seconds: number, freshnessMs = 180) {
  const atMs = EXAMPLE_NOW_MS + seconds * 1_000;
  return exampleStatus({ atMs, pipeline: examplePipeline({ freshnessMs, commitTimeMs: atMs - 100 }) });
}

describe("freshness history", () => {
  test("keeps one sample a second and ten minutes of them, whatever comes", () => {
    let kept = history.EMPTY_HISTORY;
    for (let quarter = 0; quarter < 4 * 700; quarter += 1) kept = history.takeSample(kept, at(quarter / 4));
    expect(kept.samples).toHaveLength(601);
    expect(history.takeSample(kept, at(699.8))).toBe(kept);
  });

  test("draws no line over a time without status, without commit, or without a worker", () => {
    let kept = history.EMPTY_HISTORY;
    for (const second of [0, 1, 30, 31]) kept = history.takeSample(kept, at(second));
    expect(history.unbrokenParts(kept.samples).map((part) => part.length)).toEqual([2, 2]);
    const silent = { ...at(32), pipeline: examplePipeline({ commitTimeMs: EXAMPLE_NOW_MS }) };
    expect(history.takeSample(kept, silent).samples.at(-1)?.freshnessMs).toBeNull();
    const gone = { ...at(32), workers: [exampleWorker("ingest", 1)] };
    expect(history.takeSample(kept, gone).samples.at(-1)?.freshnessMs).toBeNull();
  });

  test("marks each end of a worker once", () => {
    const lastExit = { atMs: EXAMPLE_NOW_MS + 500, how: "SIGKILL" };
    const workers = [exampleWorker("pipeline", 7, { lastExit })];
    const first = history.takeSample(history.EMPTY_HISTORY, { ...at(1), workers });
    const second = history.takeSample(first, { ...at(2), workers });
    expect(second.marks).toEqual([{ ...lastExit, worker: "pipeline" }]);
  });

  test("counts the objective over measured samples only, and the axis ends above the highest", () => {
    const samples = [100, null, 130_000].map((freshnessMs, index) => ({ atMs: index, freshnessMs }));
    expect(history.objectiveMet(samples)).toBe(0.5);
    expect(history.objectiveMet([{ atMs: 1, freshnessMs: null }])).toBeNull();
    expect(history.axisTop(samples)).toBe(200_000);
    expect(history.axisTop([])).toBe(200);
  });

  test("a young chart spans two minutes, then whole minutes, never more than ten", () => {
    const from = (ms: number) => history.spanOf([0, ms].map((atMs) => ({ atMs, freshnessMs: 1 })));
    expect([0, 119_000, 130_000, 900_000].map(from)).toEqual([120_000, 120_000, 180_000, 600_000]);
  });
});
