import type { ReactElement } from "react";
import { formatCount } from "#renderer/components/format.ts";

const BAR_PX = 4;
const HEIGHT_PX = 16;

/** Counts per minute as small bars, the newest on the right; the tooltip has the numbers. */
export function Sparkline({ perMinute }: { readonly perMinute: readonly number[] }): ReactElement {
  const most = Math.max(0, ...perMinute);
  const total = perMinute.reduce((sum, count) => sum + count, 0);
  const words =
    total === 0
      ? `none in the last ${perMinute.length} minutes`
      : `${formatCount(total)} in the last ${perMinute.length} minutes, at most ${formatCount(most)} in one, ${formatCount(perMinute.at(-1) ?? 0)} in this one`;
  return (
    <svg
      className="sparkline"
      role="img"
      aria-label={words}
      width={perMinute.length * BAR_PX}
      height={HEIGHT_PX}
      viewBox={`0 0 ${perMinute.length * BAR_PX} ${HEIGHT_PX}`}
    >
      <title>{words}</title>
      <line
        className="ground"
        x1="0"
        x2={perMinute.length * BAR_PX}
        y1={HEIGHT_PX - 0.5}
        y2={HEIGHT_PX - 0.5}
      />
      {perMinute.map((count, at) => {
        // One letter among thousands must still be seen.
        const height = count === 0 ? 0 : Math.max(2, (count / most) * (HEIGHT_PX - 1));
        // A minute has no other name than its place.
        return count === 0 ? null : (
          <rect key={at} x={at * BAR_PX} y={HEIGHT_PX - height} width={BAR_PX - 1} height={height} />
        );
      })}
    </svg>
  );
}
