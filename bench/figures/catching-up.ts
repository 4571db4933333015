import { join } from "node:path";
import { DEFAULT_SETTINGS } from "#storage/model/settings.ts";
import { quantile } from "../measure/answer.ts";
import type { BaselineSpeeds, CommitPoint, Place } from "../measure/contract.ts";
import { EVENT_RATE } from "../run/bench-plan.ts";
import { watchCommits } from "../run/commit-watch.ts";
import { runMeasurement } from "../run/run-measurement.ts";
import { waitUntil } from "../run/wait-until.ts";
import { assertWell, startWorker } from "../run/worker-under-test.ts";
import { countText, type FigureGroup } from "./bench-context.ts";

const SOURCE = "bench";
/** At a tenth of what is aimed at, the slowest machine is through within this. */
const LIMIT_MS = 1_500_000;

/** The real pipeline worker on a log that is full already: throughput, sizes, evenness. */
export const catchingUp: FigureGroup = {
  name: "catching-up",
  rows: {
    throughput: {
      figure: "log → gold committed, of JSON.parse + validation",
      limit: { kind: "at-least", value: 38, unit: "percent" },
    },
    logSize: {
      figure: "log size, of raw NDJSON",
      limit: { kind: "at-most", value: 20, unit: "percent" },
    },
    lakeSize: {
      figure: "lake size, of raw NDJSON",
      limit: { kind: "at-most", value: 25, unit: "percent" },
    },
    evenness: {
      figure: "batch p99, of p50, catching up",
      limit: { kind: "at-most", value: 3, unit: "factor" },
    },
  },
  measure: async ({ plan, root, corpusPath, corpus, baseline, remarks }) => {
    const place = { root: join(root, "catching-up"), source: SOURCE };
    const filled = await runMeasurement("fill", {
      ...place,
      content: { corpusPath, events: plan.events, eventRate: EVENT_RATE },
    });
    // The first record of a log is its settings.
    const watch = watchCommits(place);
    await runPipelineTo(place, filled.records + 1, watch.look);
    const commits = await watch.end();
    const { lakeBytes, catalogBytes } = await runMeasurement("lake", place);
    remarks.push(await stagesRemark(place, join(root, "stages"), baseline));
    const { whole, bestThird } = speedsOf(commits);
    const batches = batchTimes(commits);
    const short = plan.isQuick ? `${countText(plan.events)} events instead of 1 M; ` : "";
    return {
      throughput: {
        value: (bestThird / baseline.validate) * 100,
        baseline: `${baseline.validate.toFixed(0)} k/s (JSON.parse alone ${baseline.parse.toFixed(0)})`,
        note: `${short}${bestThird.toFixed(1)} k events/s in the best third of the real worker's commits, ${whole.toFixed(1)} from its first to its last (${((whole / baseline.validate) * 100).toFixed(1)} %)`,
      },
      logSize: {
        value: (filled.logBytes / corpus.dataBytes) * 100,
        baseline: `${(corpus.dataBytes / 1e6).toFixed(0)} MB`,
      },
      lakeSize: {
        value: (lakeBytes / corpus.dataBytes) * 100,
        baseline: `${(corpus.dataBytes / 1e6).toFixed(0)} MB`,
        note: `Parquet of all tables ${percent(lakeBytes - catalogBytes, corpus.dataBytes)}, the catalog with its hot rows ${percent(catalogBytes, corpus.dataBytes)}`,
      },
      evenness: {
        value: quantile(batches, 0.99) / quantile(batches, 0.5),
        baseline: `p50 ${quantile(batches, 0.5).toFixed(0)} ms`,
        note: `of ${batches.length} batches of ${countText(DEFAULT_SETTINGS.lake.catchUpRecords)}, from commit to commit`,
      },
    };
  },
};

function percent(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(1)} %`;
}

/** Where the time of a catching-up batch goes, on one thread and without overlap. */
async function stagesRemark(
  place: Place,
  lakeRoot: string,
  { validateCpuUs }: BaselineSpeeds,
): Promise<string> {
  const stages = await runMeasurement("stages", { ...place, lakeRoot, writes: true });
  const { readUs, decideUs, goldUs, prepareUs, commitUs } = stages;
  const sum = readUs + decideUs + goldUs + prepareUs + commitUs;
  const parts = {
    "read log": readUs,
    decide: decideUs,
    gold: goldUs,
    "encode + write": prepareUs,
    commit: commitUs,
  };
  const text = Object.entries(parts).map(([name, us]) => `${name} ${us.toFixed(1)}`);
  const share = (validateCpuUs / sum) * 100;
  return `By CPU time of one thread, without overlap: ${sum.toFixed(1)} µs an event (${text.join(", ")}); parse + validation ${validateCpuUs.toFixed(1)} µs, that is ${share.toFixed(0)} %.`;
}

/** Runs the pipeline worker until its checkpoint is at `head`; `onTelemetry` sees checkpoint and memory on the way. */
export async function runPipelineTo(
  place: Place,
  head: number,
  onTelemetry: (checkpoint: number, rssBytes: number) => void = () => undefined,
): Promise<void> {
  const worker = startWorker({
    type: "start",
    worker: "pipeline",
    dataFolder: place.root,
    sources: [place.source],
    settings: DEFAULT_SETTINGS,
    seenSnapshotId: 0,
    stopAfter: { events: null },
  });
  try {
    await waitUntil(
      `the pipeline at offset ${head}`,
      () => {
        assertWell(worker);
        const telemetry = worker.telemetry();
        if (telemetry?.worker !== "pipeline") return null;
        onTelemetry(telemetry.checkpoint, telemetry.rssBytes);
        return telemetry.checkpoint >= head ? true : null;
      },
      { everyMs: 100, limitMs: LIMIT_MS },
    );
  } finally {
    await worker.stop();
  }
}

/**
 * Thousands of events a second from the first commit to the last, and in the best third of the commits in a row. The
 * baseline is the best of several passes too, so that what else the machine does counts against neither.
 */
function speedsOf(commits: readonly CommitPoint[]): { whole: number; bestThird: number } {
  const span = Math.floor((commits.length - 1) / 3);
  if (span < 1) throw new Error(`too few commits to measure a speed: ${commits.length}`);
  const speeds = (length: number): readonly number[] =>
    commits.slice(length).map((last, index) => {
      const first = commits[index] ?? last;
      return (last.toOffset - first.toOffset) / (last.commitTimeMs - first.commitTimeMs);
    });
  return { whole: speeds(commits.length - 1)[0] ?? Number.NaN, bestThird: Math.max(...speeds(span)) };
}

/** ms of each full batch behind the first. */
function batchTimes(commits: readonly CommitPoint[]): readonly number[] {
  return commits.flatMap((commit, index) => {
    const before = commits[index - 1];
    const size = commit.toOffset - commit.fromOffset + 1;
    return before === undefined || size < DEFAULT_SETTINGS.lake.catchUpRecords
      ? []
      : [commit.commitTimeMs - before.commitTimeMs];
  });
}
