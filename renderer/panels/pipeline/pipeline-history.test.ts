import { describe, expect, test } from "vitest";
import {
  EXAMPLE_NOW_MS,
  exampleBatch,
  examplePipeline,
  exampleStatus,
  exampleWorker,
} from "#main/bridge/status.test-support.ts";
import type { AppStatus } from "#main/contract/app-status.ts";
import { EMPTY_HISTORY, objectiveMet, rangeOf, takeSample, type PipelineSample } from "./pipeline-history.ts";

function at(seconds: number, freshnessMs = 180): AppStatus {
  const atMs = EXAMPLE_NOW_MS + seconds * 1_000;
  return exampleStatus({ atMs, pipeline: examplePipeline({ freshnessMs, commitTimeMs: atMs - 100 }) });
}

const sample = (atMs: number, freshnessMs: number | null): PipelineSample => ({
  atMs,
  freshnessMs,
  lag: 0,
  inRate: 0,
  outRate: 0,
});

describe("the charts' history", () => {
  test("keeps one sample a second and ten minutes of them, whatever comes", () => {
    let kept = EMPTY_HISTORY;
    for (let quarter = 0; quarter < 4 * 700; quarter += 1) kept = takeSample(kept, at(quarter / 4), []);
    expect(kept.samples).toHaveLength(601);
    expect(takeSample(kept, at(699.8), [])).toBe(kept);
    expect(kept.samples.at(-1)).toMatchObject({ freshnessMs: 180, lag: 47, inRate: 47.2, outRate: 47 });
  });

  test("leaves a gap where no status came, and in freshness where nothing is committed or the worker is away", () => {
    let kept = EMPTY_HISTORY;
    for (const second of [0, 1, 30, 31]) kept = takeSample(kept, at(second), []);
    expect(kept.samples.map(({ lag }) => lag)).toEqual([47, 47, null, 47, 47]);
    const silent = { ...at(32), pipeline: examplePipeline({ commitTimeMs: EXAMPLE_NOW_MS }) };
    expect(takeSample(kept, silent, []).samples.at(-1)).toMatchObject({ freshnessMs: null, lag: 47 });
    const gone = { ...at(32), workers: [exampleWorker("ingest", 1)] };
    expect(takeSample(kept, gone, []).samples.at(-1)?.freshnessMs).toBeNull();
  });

  test("marks each end of a worker once, and notes when its next process was up", () => {
    const lastExit = { atMs: EXAMPLE_NOW_MS + 500, how: "SIGKILL" };
    const away = exampleWorker("pipeline", 7, { lastExit, phase: { state: "starting", pid: 8 } });
    const back = { state: "running", pid: 8, sinceMs: EXAMPLE_NOW_MS + 740 } as const;
    const first = takeSample(EMPTY_HISTORY, { ...at(1), workers: [away] }, []);
    expect(first.marks).toMatchObject([{ kind: "exit", worker: "pipeline", how: "SIGKILL", backAtMs: null }]);
    const second = takeSample(first, { ...at(1.2), workers: [{ ...away, phase: back }] }, []);
    expect(second.marks).toMatchObject([{ backAtMs: EXAMPLE_NOW_MS + 740 }]);
    expect(takeSample(second, { ...at(1.4), workers: [{ ...away, phase: back }] }, [])).toBe(second);
  });

  test("marks seals and bursts of late arrivals, one mark a burst, and no everyday late edit", () => {
    const counts = { ...exampleBatch().counts, bronze: 40, late: 12 };
    const seal = { kind: "seal", nth: 9, snapshotId: 9, commitTimeMs: EXAMPLE_NOW_MS, rows: 100 } as const;
    const steps = [
      exampleBatch(),
      exampleBatch({ snapshotId: 7, counts }),
      exampleBatch({ snapshotId: 8, counts, commitTimeMs: EXAMPLE_NOW_MS + 300 }),
      { ...seal, files: 3, bytes: 10, commitMs: 50 },
    ];
    const { marks } = takeSample(EMPTY_HISTORY, at(1), steps);
    expect(marks.map(({ key }) => key)).toEqual(["late-7", "seal-9"]);
  });

  test("counts the objective over measured samples only", () => {
    const samples = [100, null, 130_000].map((freshnessMs, index) => sample(index, freshnessMs));
    expect(objectiveMet(samples)).toBe(0.5);
    expect(objectiveMet([sample(1, null)])).toBeNull();
  });

  test("a young chart spans one minute, then whole minutes, never more than ten", () => {
    const span = (ms: number): number => {
      const { fromMs, toMs } = rangeOf({ samples: [sample(0, 1), sample(ms, 1)], marks: [] });
      return toMs - fromMs;
    };
    expect([0, 59_000, 130_000, 900_000].map(span)).toEqual([60_000, 60_000, 180_000, 600_000]);
  });
});
