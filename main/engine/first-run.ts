import type { IngestTelemetry, PipelineTelemetry } from "#pipeline/protocol/telemetry.ts";

/** The head of a log that holds nothing but its own first settings record. */
const EMPTY_LOG_HEAD = 1;

/**
 * True only when both workers have said that nothing was ever received here. A worker that has not spoken yet (a large
 * state, a held catalog) says nothing, and then the folder may hold real data.
 */
export function isFirstRun(ingest: IngestTelemetry | null, pipeline: PipelineTelemetry | null): boolean {
  if (ingest === null || pipeline === null) return false;
  return ingest.head <= EMPTY_LOG_HEAD && pipeline.checkpoint <= EMPTY_LOG_HEAD;
}
