import { expect, test } from "vitest";
import { examplePipeline } from "#main/bridge/status.test-support.ts";
import type { LateRow } from "./late-arrivals-plan.ts";
import { plotWatermark } from "./watermark-plot.ts";
import { takeWatermark, TRACK_MS, type WatermarkSample } from "./watermark-track.ts";

const T = 1_800_000_000_000;

function status(atMs: number, watermarkMs: number | null) {
  return { atMs, pipeline: examplePipeline({ watermarkMs }) };
}

function lateRow(logOffset: number, receivedTimeMs: number, behindMs: number): LateRow {
  const names = { wiki: "enwiki", type: "edit", title: "A", user: "U" };
  const eventTimeMs = receivedTimeMs - behindMs;
  return {
    logOffset,
    eventTimeMs,
    receivedTimeMs,
    watermarkMs: eventTimeMs + 1_000,
    lateByMs: 1_000,
    ...names,
  };
}

test("takes a sample a second, keeps ten minutes, and leaves a gap where nobody saw it", () => {
  let samples: readonly WatermarkSample[] = [];
  samples = takeWatermark(samples, status(T, T - 120_000));
  expect(takeWatermark(samples, status(T + 999, T - 119_000))).toBe(samples);
  samples = takeWatermark(samples, status(T + 1_000, T - 119_000));
  samples = takeWatermark(samples, status(T + 60_000, T - 60_000));
  expect(samples.map(({ watermarkMs }) => watermarkMs)).toEqual([T - 120_000, T - 119_000, null, T - 60_000]);
  expect(plotWatermark(samples, [])?.parts.map((part) => part.length)).toEqual([2, 1]);
  expect(takeWatermark(samples, status(T + TRACK_MS + 1_001, null))).toHaveLength(4);
});

test("a late row is below the line: it was further behind the clock than the watermark", () => {
  const samples = [
    { atMs: T, watermarkMs: T - 120_000 },
    { atMs: T + 1_000, watermarkMs: T - 119_000 },
  ];
  const { parts, dots } = plotWatermark(samples, [lateRow(7, T + 500, 180_000)]) ?? { parts: [], dots: [] };
  const [line = []] = parts;
  const [dot] = dots;
  expect(dot?.row.logOffset).toBe(7);
  expect(dot?.y).toBeGreaterThan(Math.max(...line.map(({ y }) => y)));
  expect(dot?.x).toBeGreaterThan(line[0]?.x ?? 1);
  for (const { x, y } of [...line, ...dots]) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x).toBeLessThanOrEqual(1);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThanOrEqual(1);
  }
});

test("rows before the line began are not drawn, and without a watermark there is no picture", () => {
  const samples = [{ atMs: T, watermarkMs: T - 120_000 }];
  expect(plotWatermark(samples, [lateRow(1, T - TRACK_MS, 180_000)])?.dots).toEqual([]);
  expect(plotWatermark([{ atMs: T, watermarkMs: null }], [])).toBeNull();
});

test("a recording's event times are years behind, and the line still has a height", () => {
  const year = 365 * 86_400_000;
  const samples = [
    { atMs: T, watermarkMs: T - year },
    { atMs: T + 1_000, watermarkMs: T - year + 60_000 },
  ];
  const [first, second] = plotWatermark(samples, [])?.parts[0] ?? [];
  expect((first?.y ?? 0) - (second?.y ?? 0)).toBeGreaterThan(0.5);
});
