import { describe, expect, test } from "vitest";
import { exampleBatch } from "#main/bridge/status.test-support.ts";
import type { BatchStep, LakeStep } from "#pipeline/protocol/lake-steps.ts";
import { type BatchLine, MAX_BATCH_LINES, mergeSteps } from "./batch-lines.ts";

function step(nth: number, more: Partial<BatchStep> = {}): LakeStep {
  return exampleBatch({ nth, snapshotId: 100 + nth, fromOffset: nth * 10 - 9, toOffset: nth * 10, ...more });
}

function steps(from: number, to: number): LakeStep[] {
  return Array.from({ length: to - from + 1 }, (_, at) => step(from + at));
}

function merge(...frames: readonly { beganMs: number; newest: readonly LakeStep[] }[]): readonly BatchLine[] {
  return frames.reduce<readonly BatchLine[]>((lines, frame) => mergeSteps(lines, frame).lines, []);
}

const nths = (lines: readonly BatchLine[]): (number | string)[] =>
  lines.map((line) => (line.kind === "step" ? line.step.nth : line.kind));

describe("last batches", () => {
  test("frames that overlap are one list without repeats, and a frame without news is the same list", () => {
    const lines = merge({ beganMs: 1, newest: steps(1, 5) }, { beganMs: 1, newest: steps(3, 8) });
    expect(nths(lines)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const again = mergeSteps(lines, { beganMs: 1, newest: steps(4, 8) });
    expect(again.lines).toBe(lines);
    expect(again.newSteps).toEqual([]);
  });

  test("what was not seen is counted, with its offsets", () => {
    const lines = merge({ beganMs: 1, newest: steps(1, 5) }, { beganMs: 1, newest: steps(9, 10) });
    expect(nths(lines)).toEqual([1, 2, 3, 4, 5, "missed", 9, 10]);
    expect(lines[5]).toMatchObject({ count: 3, fromOffset: 51, toOffset: 80 });
  });

  test("over a restart the offsets tell whether something was missed; how many batches nobody knows", () => {
    const joined = { beganMs: 2, newest: [step(1, { fromOffset: 51, toOffset: 60 })] };
    expect(nths(merge({ beganMs: 1, newest: steps(1, 5) }, joined))).toEqual([1, 2, 3, 4, 5, 1]);
    const apart = { beganMs: 2, newest: [step(1, { fromOffset: 71, toOffset: 80 })] };
    const lines = merge({ beganMs: 1, newest: steps(1, 5) }, apart);
    expect(lines[5]).toMatchObject({ kind: "missed", count: null, fromOffset: 51, toOffset: 70 });
  });

  test("maintenance that is told later is added to its batch", () => {
    const first = merge({ beganMs: 1, newest: steps(1, 2) });
    const upkeep = { did: "prune", rows: 500, files: 0 } as const;
    const merged = mergeSteps(first, { beganMs: 1, newest: [step(1), step(2, { upkeep })] });
    expect(merged.lines[1]).toMatchObject({ step: { nth: 2, upkeep } });
    expect(merged.newSteps).toEqual([]);
  });

  test("keeps the newest lines only", () => {
    const lines = merge({ beganMs: 1, newest: steps(1, 90) }, { beganMs: 1, newest: steps(91, 130) });
    expect(lines).toHaveLength(MAX_BATCH_LINES);
    expect(nths(lines).at(-1)).toBe(130);
  });
});
