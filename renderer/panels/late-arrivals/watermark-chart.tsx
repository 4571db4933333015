import { useMemo, type ReactElement } from "react";
import { useStore } from "zustand";
import { formatDuration, formatTime } from "#renderer/components/format.ts";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import type { LateRow } from "./late-arrivals-plan.ts";
import { plotWatermark, type Point, type WatermarkPlot } from "./watermark-plot.ts";

const WIDTH = 1_000;
const HEIGHT = 100;

function pointsOf(part: readonly Point[]): string {
  const points = part.map(({ x, y }) => `${(x * WIDTH).toFixed(1)},${(y * HEIGHT).toFixed(1)}`);
  const [only] = part;
  // A sample between two gaps would be a line without a length.
  if (points.length === 1 && only !== undefined)
    points.push(`${(only.x * WIDTH + 2).toFixed(1)},${(only.y * HEIGHT).toFixed(1)}`);
  return points.join(" ");
}

function Drawing({
  plot,
  onPick,
}: {
  readonly plot: WatermarkPlot;
  readonly onPick: (offset: number) => void;
}): ReactElement {
  const minutes = Math.round(plot.spanMs / 60_000);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`The watermark over the last ${minutes} minutes with ${plot.dots.length} late rows`}
    >
      {[0, 0.5, 1].map((at) => (
        <line key={at} className="grid" x1="0" x2={WIDTH} y1={HEIGHT * at} y2={HEIGHT * at} />
      ))}
      {plot.parts.map((part) => (
        <polyline key={part[0]?.x} className="line" points={pointsOf(part)} />
      ))}
      {plot.dots.map(({ row, x, y }) => (
        // A line without a length has round ends of one size, however the picture is stretched.
        <line
          key={row.logOffset}
          className="dot"
          x1={x * WIDTH}
          x2={x * WIDTH}
          y1={y * HEIGHT}
          y2={y * HEIGHT}
          onClick={() => onPick(row.logOffset)}
        >
          <title>
            offset {row.logOffset}, received {formatTime(row.receivedTimeMs)}: {formatDuration(row.lateByMs)}{" "}
            below the watermark. Click selects it.
          </title>
        </line>
      ))}
    </svg>
  );
}

/** How far the watermark is behind the clock, over time, and the late rows below it. */
export function WatermarkChart({ rows }: { readonly rows: readonly LateRow[] }): ReactElement {
  const { lateArrivals, watermarkTrack } = useAppStores();
  const samples = useStore(watermarkTrack.store, (state) => state.samples);
  const plot = useMemo(() => plotWatermark(samples, rows), [samples, rows]);
  return (
    <section className="watermark-chart" aria-label="Watermark">
      <h2 title="line: clock − watermark; dots: received time − event time of late rows; below the line = late">
        Watermark behind the clock
      </h2>
      <div className="plot">
        {plot === null ? (
          <p className="no-line">The line begins with the first event that sets a watermark.</p>
        ) : (
          <>
            <Drawing plot={plot} onPick={(offset) => lateArrivals.select(offset)} />
            <span className="tick top">{formatDuration(plot.topMs)}</span>
            <span className="tick bottom">{formatDuration(plot.bottomMs)}</span>
          </>
        )}
      </div>
      <footer>
        <span>{plot === null ? "" : `${Math.round(plot.spanMs / 60_000)} min ago`}</span>
        <span className="legend">dots: late rows</span>
        <span>now</span>
      </footer>
    </section>
  );
}
