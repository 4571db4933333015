import { join } from "node:path";
import { watchCommits } from "../run/commit-watch.ts";
import { type CommandRun, startRun } from "../run/command-run.ts";
import { hasProcessFigures, peakRssBytes, workersOf } from "../run/process-figures.ts";
import { waitUntil } from "../run/wait-until.ts";
import { parseSource } from "#main/engine/source-spec.ts";
import { countText, type FigureGroup, NO_PROC } from "./bench-context.ts";

const MEGABYTE = 1e6;
const LIMIT_MS = 1_500_000;

/** `highwater run` on the corpus as a recording: from nothing to everything committed, with all its workers. */
export const wholeProduct: FigureGroup = {
  name: "whole-product",
  rows: {
    firstCommit: {
      figure: "process start → first committed snapshot",
      limit: { kind: "at-most", value: 1_500, unit: "ms" },
    },
    memory: {
      figure: "peak memory of all workers, catching up",
      limit: { kind: "at-most", value: 700, unit: "megabytes" },
    },
  },
  measure: async ({ plan, root, corpusPath, corpus }) => {
    const dataFolder = join(root, "whole-product");
    const source = `file:${corpusPath}`;
    const run = startRun(dataFolder, ["--source", source]);
    const watch = watchCommits({ root: dataFolder, source: parseSource(source).source });
    let peaks: ReadonlyMap<string, number>;
    try {
      peaks = await watchMemory(run, watch.look);
    } finally {
      await run.stop();
    }
    if (run.ended() !== 0)
      throw new Error(`highwater run ended with exit code ${run.ended()}: ${run.lastLine()}`);
    const commits = await watch.end();
    const last = commits.at(-1)?.toOffset ?? 0;
    if (last < corpus.records) throw new Error(`only ${last} of ${corpus.records} records were committed`);
    const first = commits[0]?.commitTimeMs ?? Number.NaN;
    const total = [...peaks.values()].reduce((sum, bytes) => sum + bytes, 0);
    const parts = [...peaks].map(([name, bytes]) => `${name} ${Math.round(bytes / MEGABYTE)}`).join(", ");
    return {
      firstCommit: {
        value: first - run.startedMs,
        baseline: "",
        note: "highwater run on a recording, new data folder, straight from the TypeScript sources",
      },
      memory: hasProcessFigures()
        ? {
            value: total / MEGABYTE,
            baseline: "",
            note: `sum of each worker's own peak: ${parts} MB, on ${countText(plan.events)} events${plan.isQuick ? " instead of 1 M" : ""}, while ingest still reads`,
          }
        : NO_PROC,
    };
  },
};

/** Peak resident memory by worker, until the run ends by itself. */
async function watchMemory(run: CommandRun, look: () => void): Promise<ReadonlyMap<string, number>> {
  const peaks = new Map<string, number>();
  await waitUntil(
    "the end of highwater run",
    () => {
      look();
      for (const { name, pid } of workersOf(run.pid)) {
        peaks.set(name, Math.max(peaks.get(name) ?? 0, peakRssBytes(pid)));
      }
      return run.ended();
    },
    { everyMs: 100, limitMs: LIMIT_MS },
  );
  return peaks;
}
