import type { AppStatus, DiskUsage } from "./app-status.ts";

/** Below this much free space (or share of the disk) the screen warns; the stages that act on it are ingest's own. */
const LOW_BYTES = 5_000_000_000;
const LOW_SHARE = 0.05;
/** Below this the disk is about to be full: a busy stream writes a GB in hours. */
const VERY_LOW_BYTES = 1_000_000_000;

/** How a disk stands: `bad` is about to be full, `warn` should be looked after. */
export function judgeDisk({ freeBytes, totalBytes }: DiskUsage): "ok" | "warn" | "bad" {
  if (freeBytes < VERY_LOW_BYTES) return "bad";
  return freeBytes < LOW_BYTES || freeBytes < totalBytes * LOW_SHARE ? "warn" : "ok";
}

/** Holes and places with lost records, counted by how they stand; empty where everything arrived. */
export function sourceGaps({ pipeline }: Pick<AppStatus, "pipeline">): readonly string[] {
  if (pipeline === null) return [];
  const gaps = pipeline.gaps.filter(({ count }) => count > 0).map(({ state, count }) => `${count} ${state}`);
  return pipeline.losses.count > 0 ? [...gaps, `${pipeline.losses.count} lost`] : gaps;
}

/** Connections after the first one. */
export function reconnects({ ingest }: Pick<AppStatus, "ingest">): number {
  return Math.max(0, (ingest?.connections ?? 0) - 1);
}
