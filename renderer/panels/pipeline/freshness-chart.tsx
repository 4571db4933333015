import type { ReactElement } from "react";
import { formatDuration, formatTime } from "#renderer/components/format.ts";
import { usePipelineRoom, useStatus } from "#renderer/stores/app-stores.ts";
import {
  axisTop,
  type FreshnessSample,
  OBJECTIVE_MS,
  objectiveMet,
  spanOf,
  unbrokenParts,
} from "./freshness-history.ts";
import { lagOf } from "./journey.ts";

const WIDTH = 1_000;
const HEIGHT = 100;

function Line({
  part,
  x,
  top,
}: {
  part: readonly FreshnessSample[];
  x: (atMs: number) => number;
  top: number;
}): ReactElement {
  const points = part.map(
    ({ atMs, freshnessMs }) =>
      `${x(atMs).toFixed(1)},${(HEIGHT - ((freshnessMs ?? 0) / top) * HEIGHT).toFixed(1)}`,
  );
  const from = x(part[0]?.atMs ?? 0);
  // A sample between two gaps would be a line without a length.
  const to = Math.max(x(part.at(-1)?.atMs ?? 0), from + 2);
  if (points.length === 1) points.push(`${to},${points[0]?.split(",")[1]}`);
  return (
    <>
      <polygon className="area" points={`${from},${HEIGHT} ${points.join(" ")} ${to},${HEIGHT}`} />
      <polyline className="line" points={points.join(" ")} />
    </>
  );
}

function Summary(): ReactElement {
  const status = useStatus((state) => state.status);
  const samples = usePipelineRoom((state) => state.history.samples);
  const pipeline = status?.pipeline ?? null;
  const met = objectiveMet(samples);
  const show = (ms: number | null | undefined): string => (typeof ms === "number" ? formatDuration(ms) : "—");
  const share =
    met === null ? "not measured yet" : `met ${(Math.floor(met * 1_000) / 10).toFixed(met === 1 ? 0 : 1)} %`;
  return (
    <span className="summary">
      p50 {show(pipeline?.freshnessP50Ms)} · p99 {show(pipeline?.freshnessP99Ms)} · objective{" "}
      {OBJECTIVE_MS / 1_000} s {share} · lag {status === null ? "—" : lagOf(status)}
    </span>
  );
}

/** Freshness of the last ten minutes; the line is interrupted where nothing was committed or seen. */
export function FreshnessChart(): ReactElement {
  const { samples, marks } = usePipelineRoom((state) => state.history);
  const endMs = Math.max(samples.at(-1)?.atMs ?? 0, marks.at(-1)?.atMs ?? 0);
  const top = axisTop(samples);
  const spanMs = spanOf(samples);
  const x = (atMs: number): number => WIDTH - ((endMs - atMs) / spanMs) * WIDTH;
  const objectiveY = HEIGHT - (OBJECTIVE_MS / top) * HEIGHT;
  return (
    <section className="room-card freshness" aria-label="Freshness">
      <header>
        <h2 title="commit time − received time of the newest record of each commit">Freshness</h2>
        <Summary />
      </header>
      <div className="plot">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Freshness over the last ${spanMs / 60_000} minutes`}
        >
          {[0, 0.5, 1].map((at) => (
            <line key={at} className="grid" x1="0" x2={WIDTH} y1={HEIGHT * at} y2={HEIGHT * at} />
          ))}
          {objectiveY > 0 ? (
            <line className="objective" x1="0" x2={WIDTH} y1={objectiveY} y2={objectiveY} />
          ) : null}
          {unbrokenParts(samples).map((part) => (
            <Line key={part[0]?.atMs} part={part} x={x} top={top} />
          ))}
          {marks
            .filter(({ atMs }) => x(atMs) >= 0)
            .map(({ atMs, worker }) => (
              <line key={`${worker}-${atMs}`} className="exit" x1={x(atMs)} x2={x(atMs)} y1="0" y2={HEIGHT} />
            ))}
        </svg>
        <span className="tick" style={{ top: 0 }}>
          {formatDuration(top)}
        </span>
        <span className="tick" style={{ top: "50%" }}>
          {formatDuration(top / 2)}
        </span>
        {marks
          .filter(({ atMs }) => x(atMs) >= 0)
          .slice(-3)
          .map(({ atMs, worker, how }, at) => (
            <span
              key={`${worker}-${atMs}`}
              className="exit-name"
              style={{ right: `${100 - x(atMs) / 10}%`, top: `${at * 18}px` }}
              title={`${worker} ended at ${formatTime(atMs)}: ${how}`}
            >
              {how === "SIGKILL" ? `SIGKILL ${worker}` : `${worker} ended`}
            </span>
          ))}
        {samples.some(({ freshnessMs }) => freshnessMs !== null) ? null : (
          <p className="no-line">The line begins with the first commit.</p>
        )}
      </div>
      <footer>
        <span>{spanMs / 60_000} min ago</span>
        <span>now</span>
      </footer>
    </section>
  );
}
