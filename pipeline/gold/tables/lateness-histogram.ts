import type { GoldTable } from "../gold-table.ts";
import { KeyedRows } from "../keyed-rows.ts";
import { latenessHistogramTable } from "./lateness-histogram-table.ts";

/** Lower bounds of the buckets, ms: fine where feeds live (page_change p99 21.8 s, maximum 155 s), coarse beyond. */
const BUCKETS_FROM_MS = [
  0, 1, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000, 3_600_000, 86_400_000,
];

function bucketOf(latenessMs: number): number {
  let bucket = 0;
  while (latenessMs >= (BUCKETS_FROM_MS[bucket + 1] ?? Number.POSITIVE_INFINITY)) bucket += 1;
  return bucket;
}

/**
 * Counts per bucket of lateness. Placed by event time + lateness, which is the newest event time seen: it never falls
 * from offset to offset and is never below the watermark, so no row is late for its window and none amends a settled one.
 */
export const latenessHistogram: GoldTable = {
  table: latenessHistogramTable,
  window: "latenessHistogramMs",
  timeOf: (input) => input.eventTimeUs + input.latenessMs * 1_000,
  openWindow: () => {
    const buckets = new KeyedRows<number, { rows: number }>(() => ({ rows: 0 }));
    return {
      fold: (input) => {
        buckets.touch(bucketOf(input.latenessMs)).rows += 1;
      },
      rows: (which) =>
        buckets.take(which, (bucket, row) => [
          BUCKETS_FROM_MS[bucket] ?? 0,
          BUCKETS_FROM_MS[bucket + 1] ?? null,
          row.rows,
        ]),
    };
  },
};
