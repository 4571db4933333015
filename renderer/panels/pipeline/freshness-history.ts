import type { AppStatus } from "#main/contract/app-status.ts";

/** One look at the pipeline: freshness of its last commit, ms; null while it commits nothing. */
export type FreshnessSample = { readonly atMs: number; readonly freshnessMs: number | null };

/** The end of a worker's process. */
export type ExitMark = { readonly atMs: number; readonly worker: string; readonly how: string };

/** The last ten minutes as this window saw them. */
export type FreshnessHistory = {
  readonly samples: readonly FreshnessSample[];
  readonly marks: readonly ExitMark[];
};

export const EMPTY_HISTORY: FreshnessHistory = { samples: [], marks: [] };

/** How far back the chart looks. */
export const HISTORY_MS = 600_000;
/** A young window's chart is not stretched further than this. */
const SHORTEST_SPAN_MS = 120_000;
/** The objective of architecture.md: from received to committed. */
export const OBJECTIVE_MS = 120_000;
const SAMPLE_EVERY_MS = 1_000;
/** Without a commit or a status for this long, the line is interrupted: what was fresh then says nothing of now. */
const SILENCE_MS = 5_000;
/** Ends remembered; a worker's restart budget allows far fewer in ten minutes. */
const MAX_MARKS = 50;

function freshnessOf({ pipeline, workers, atMs }: AppStatus): number | null {
  const isRunning = workers.some(({ name, phase }) => name === "pipeline" && phase.state === "running");
  if (!isRunning || pipeline === null || pipeline.commitTimeMs === null) return null;
  return atMs - pipeline.commitTimeMs > SILENCE_MS ? null : pipeline.freshnessMs;
}

function newMarks(status: AppStatus, known: readonly ExitMark[]): readonly ExitMark[] {
  return status.workers.flatMap(({ name, lastExit }) => {
    if (lastExit === null) return [];
    const isKnown = known.some((mark) => mark.worker === name && mark.atMs === lastExit.atMs);
    return isKnown ? [] : [{ atMs: lastExit.atMs, worker: name, how: lastExit.how }];
  });
}

/** Takes one status: at most a sample a second, marks at once, nothing older than {@link HISTORY_MS}. Same object = nothing new. */
export function takeSample(history: FreshnessHistory, status: AppStatus): FreshnessHistory {
  const last = history.samples.at(-1);
  const marks = newMarks(status, history.marks);
  const isDue = last === undefined || status.atMs - last.atMs >= SAMPLE_EVERY_MS;
  if (!isDue && marks.length === 0) return history;
  const added: FreshnessSample[] = [];
  // A hidden window is sent nothing: no line may be drawn over what was not seen.
  if (last !== undefined && status.atMs - last.atMs > SILENCE_MS)
    added.push({ atMs: last.atMs + 1, freshnessMs: null });
  if (isDue) added.push({ atMs: status.atMs, freshnessMs: freshnessOf(status) });
  const isRecent = ({ atMs }: { readonly atMs: number }): boolean => atMs >= status.atMs - HISTORY_MS;
  return {
    samples: [...history.samples, ...added].filter(isRecent),
    marks: [...history.marks, ...marks].filter(isRecent).slice(-MAX_MARKS),
  };
}

/** Parts of the line between gaps. */
export function unbrokenParts(samples: readonly FreshnessSample[]): readonly (readonly FreshnessSample[])[] {
  const parts: FreshnessSample[][] = [];
  let isOpen = false;
  for (const sample of samples) {
    if (sample.freshnessMs === null) isOpen = false;
    else if (isOpen) parts.at(-1)?.push(sample);
    else {
      parts.push([sample]);
      isOpen = true;
    }
  }
  return parts;
}

/** Share of the measured samples within the objective; null without one. */
export function objectiveMet(samples: readonly FreshnessSample[]): number | null {
  const measured = samples.filter(({ freshnessMs }) => freshnessMs !== null);
  if (measured.length === 0) return null;
  return measured.filter(({ freshnessMs }) => (freshnessMs ?? 0) <= OBJECTIVE_MS).length / measured.length;
}

/** Top of the axis, ms: the next 1, 2 or 5 above the highest sample, at least 0.2 s. */
export function axisTop(samples: readonly FreshnessSample[]): number {
  const highest = samples.reduce((top, { freshnessMs }) => Math.max(top, freshnessMs ?? 0), 200);
  const unit = 10 ** Math.floor(Math.log10(highest));
  return ([1, 2, 5, 10].find((step) => step * unit >= highest) ?? 10) * unit;
}

/** What the chart spans: from the first sample on, in whole minutes, between two minutes and {@link HISTORY_MS}. */
export function spanOf(samples: readonly FreshnessSample[]): number {
  const seenMs = (samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0);
  return Math.min(HISTORY_MS, Math.max(SHORTEST_SPAN_MS, Math.ceil(seenMs / 60_000) * 60_000));
}
