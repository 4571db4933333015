import type { AppStatus } from "#main/contract/app-status.ts";
import type { LakeStep } from "#pipeline/protocol/lake-steps.ts";
import { type ChartMark, type MarkSource, withNewMarks } from "./chart-marks.ts";
import { lagOf } from "./journey.ts";

/** One look at the pipeline; null = there was nothing to read then, a gap in the line. */
export type PipelineSample = {
  readonly atMs: number;
  /** Of the last commit, ms; null while nothing is committed. */
  readonly freshnessMs: number | null;
  /** Records behind. */
  readonly lag: number | null;
  /** Records a second received and committed. */
  readonly inRate: number | null;
  readonly outRate: number | null;
};

/** The last ten minutes as this window saw them. */
export type PipelineHistory = {
  readonly samples: readonly PipelineSample[];
  readonly marks: readonly ChartMark[];
};

export const EMPTY_HISTORY: PipelineHistory = { samples: [], marks: [] };

/** How far back the charts look. */
export const HISTORY_MS = 600_000;
/** A young window's chart is not stretched further than this. */
const SHORTEST_SPAN_MS = 60_000;
/** The objective of architecture.md: from received to committed. */
export const OBJECTIVE_MS = 120_000;
const SAMPLE_EVERY_MS = 1_000;
/** Without a commit or a status for this long, the line is interrupted: what was fresh then says nothing of now. */
const SILENCE_MS = 5_000;

function freshnessOf({ pipeline, workers, atMs }: AppStatus): number | null {
  const isRunning = workers.some(({ name, phase }) => name === "pipeline" && phase.state === "running");
  if (!isRunning || pipeline === null || pipeline.commitTimeMs === null) return null;
  return atMs - pipeline.commitTimeMs > SILENCE_MS ? null : pipeline.freshnessMs;
}

function sampleOf(status: AppStatus): PipelineSample {
  const { atMs, ingest, pipeline } = status;
  return {
    atMs,
    freshnessMs: freshnessOf(status),
    lag: pipeline === null ? null : lagOf(status),
    inRate: ingest?.recordsPerSecond ?? null,
    outRate: pipeline?.recordsPerSecond ?? null,
  };
}

function gapAt(atMs: number): PipelineSample {
  return { atMs, freshnessMs: null, lag: null, inRate: null, outRate: null };
}

/**
 * Takes one status and the steps that came with it: at most a sample a second, marks at once, nothing older than
 * {@link HISTORY_MS}. Same object = nothing new.
 */
export function takeSample(
  history: PipelineHistory,
  status: AppStatus,
  newSteps: readonly LakeStep[],
): PipelineHistory {
  const last = history.samples.at(-1);
  const source: MarkSource = { workers: status.workers, newSteps };
  const marks = withNewMarks(history.marks, source);
  const isDue = last === undefined || status.atMs - last.atMs >= SAMPLE_EVERY_MS;
  if (!isDue && marks === history.marks) return history;
  const added: PipelineSample[] = [];
  // A hidden window is sent nothing: no line may be drawn over what was not seen.
  if (last !== undefined && status.atMs - last.atMs > SILENCE_MS) added.push(gapAt(last.atMs + 1));
  if (isDue) added.push(sampleOf(status));
  const isRecent = ({ atMs }: { readonly atMs: number }): boolean => atMs >= status.atMs - HISTORY_MS;
  return { samples: [...history.samples, ...added].filter(isRecent), marks: marks.filter(isRecent) };
}

/** Share of the measured samples within the objective; null without one. */
export function objectiveMet(samples: readonly PipelineSample[]): number | null {
  const measured = samples.filter(({ freshnessMs }) => freshnessMs !== null);
  if (measured.length === 0) return null;
  return measured.filter(({ freshnessMs }) => (freshnessMs ?? 0) <= OBJECTIVE_MS).length / measured.length;
}

/** A stretch of time, ms since 1970. */
export type TimeRange = { readonly fromMs: number; readonly toMs: number };

/** What the charts span: from the first sample on, in whole minutes, between one minute and {@link HISTORY_MS}. */
export function rangeOf({ samples, marks }: PipelineHistory): TimeRange {
  const toMs = Math.max(samples.at(-1)?.atMs ?? 0, marks.at(-1)?.atMs ?? 0);
  const seenMs = toMs - (samples[0]?.atMs ?? toMs);
  const spanMs = Math.min(HISTORY_MS, Math.max(SHORTEST_SPAN_MS, Math.ceil(seenMs / 60_000) * 60_000));
  return { fromMs: toMs - spanMs, toMs };
}
