import type { ReactElement } from "react";
import { formatCount } from "#renderer/components/format.ts";
import { barPercent, bucketLabel, fillGaps } from "./lateness-bars.ts";
import type { LatenessBucket } from "./late-arrivals-plan.ts";

/** How far behind the newest event time the rows arrived, as bars with their counts. */
export function LatenessChart({ buckets }: { readonly buckets: readonly LatenessBucket[] }): ReactElement {
  const most = Math.max(0, ...buckets.map(({ rows }) => rows));
  const total = buckets.reduce((sum, { rows }) => sum + rows, 0);
  return (
    <section className="lateness" aria-label="Lateness of all rows">
      <h2 title="gold.lateness_histogram: lateness = newest event time before a row − its own; bars grow with the logarithm">
        Lateness of {formatCount(total)} rows, log bars
      </h2>
      {buckets.length === 0 ? <p className="empty">No window has rows yet.</p> : null}
      <ul>
        {fillGaps(buckets).map((bucket) => (
          <li key={bucket.fromMs}>
            <span className="label">{bucketLabel(bucket)}</span>
            <span className="track">
              <span className="bar" style={{ width: `${barPercent(bucket.rows, most)}%` }} />
            </span>
            <span className="value">{formatCount(bucket.rows)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
