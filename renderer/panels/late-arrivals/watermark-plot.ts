import type { LateRow } from "./late-arrivals-plan.ts";
import { TRACK_MS, type WatermarkSample } from "./watermark-track.ts";

/** A point of the plot: share of the width from the left, share of the height from the top. */
export type Point = { readonly x: number; readonly y: number };

/** A late row on the plot. */
export type LateDot = Point & { readonly row: LateRow };

/** What is drawn: the line in its unbroken parts, late rows, and what top and bottom of the plot mean in ms behind the clock. */
export type WatermarkPlot = {
  readonly parts: readonly (readonly Point[])[];
  readonly dots: readonly LateDot[];
  readonly topMs: number;
  readonly bottomMs: number;
  readonly spanMs: number;
};

/** A young window's plot is not stretched further than this. */
const SHORTEST_SPAN_MS = 120_000;
/** Dots at most, the newest: more would be one grey stripe. */
const MAX_DOTS = 300;
/** Room above and below, as a share of what is shown. */
const MARGIN = 0.08;

/**
 * Time to the right; downwards how far behind the clock something is, as in the usual picture of event time: the line is the
 * watermark, and a late row is a dot below it, since its event time was further behind than the watermark was.
 */
export function plotWatermark(
  samples: readonly WatermarkSample[],
  rows: readonly LateRow[],
): WatermarkPlot | null {
  const known = samples.flatMap(({ atMs, watermarkMs }) =>
    watermarkMs === null ? [] : [{ atMs, behindMs: atMs - watermarkMs }],
  );
  const endMs = samples.at(-1)?.atMs ?? 0;
  if (known.length === 0) return null;
  const seenMs = endMs - (samples[0]?.atMs ?? endMs);
  const spanMs = Math.min(TRACK_MS, Math.max(SHORTEST_SPAN_MS, seenMs));
  const shown = rows
    .filter(({ receivedTimeMs }) => receivedTimeMs > endMs - spanMs && receivedTimeMs <= endMs)
    .slice(0, MAX_DOTS);
  const behind = [
    ...known.map(({ behindMs }) => behindMs),
    ...shown.map((row) => row.receivedTimeMs - row.eventTimeMs),
  ];
  const least = Math.min(...behind);
  const most = Math.max(...behind);
  const margin = Math.max(1_000, (most - least) * MARGIN);
  // Nothing is ahead of the clock unless a feed's clock is.
  const topMs = least >= 0 ? Math.max(0, least - margin) : least - margin;
  const bottomMs = most + margin;
  const x = (atMs: number): number => 1 - (endMs - atMs) / spanMs;
  const y = (behindMs: number): number => (behindMs - topMs) / (bottomMs - topMs);
  return {
    parts: unbroken(samples).map((part) =>
      part.map(({ atMs, behindMs }) => ({ x: x(atMs), y: y(behindMs) })),
    ),
    dots: shown.map((row) => ({
      row,
      x: x(row.receivedTimeMs),
      y: y(row.receivedTimeMs - row.eventTimeMs),
    })),
    topMs,
    bottomMs,
    spanMs,
  };
}

function unbroken(
  samples: readonly WatermarkSample[],
): readonly (readonly { atMs: number; behindMs: number }[])[] {
  const parts: { atMs: number; behindMs: number }[][] = [];
  let isOpen = false;
  for (const { atMs, watermarkMs } of samples) {
    if (watermarkMs === null) isOpen = false;
    else {
      if (!isOpen) parts.push([]);
      isOpen = true;
      parts.at(-1)?.push({ atMs, behindMs: atMs - watermarkMs });
    }
  }
  return parts;
}
