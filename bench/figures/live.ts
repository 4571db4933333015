import { existsSync } from "node:fs";
import { join } from "node:path";
import { dataFolderAt, type DataFolder } from "#storage/files/data-folder.ts";
import { openLakeReader } from "#storage/lake/read/lake-reader.ts";
import { AppError } from "#storage/model/errors.ts";
import type { LakeReader } from "#storage/model/lake.ts";
import { quantile } from "../measure/answer.ts";
import { LIVE_RATE } from "../run/bench-plan.ts";
import { assertRunning, type CommandRun, startRun } from "../run/command-run.ts";
import { cpuMs, hasProcessFigures, workerPid, workersOf } from "../run/process-figures.ts";
import { runMeasurement } from "../run/run-measurement.ts";
import { spanOf, waitUntil } from "../run/wait-until.ts";
import { type FigureGroup, NO_PROC } from "./bench-context.ts";

const SOURCE = "demo";
/** Compilation and the first second of everything are not what a live hour is made of. */
const WARM_UP_MS = 5_000;
/** Between two kills: the worker commits and says so, which makes its restart budget whole again. */
const BETWEEN_KILLS_MS = 1_000;

/** `highwater run` on the demo feed at the real feed's rate: freshness, CPU, then the pipeline worker killed again and again. */
export const live: FigureGroup = {
  name: "live",
  rows: {
    freshness: {
      figure: `freshness p99 at ${LIVE_RATE} events/s`,
      limit: { kind: "at-most", value: 500, unit: "ms" },
    },
    cpu: {
      figure: `CPU of all workers at ${LIVE_RATE} events/s, of one core`,
      limit: { kind: "at-most", value: 5, unit: "percent" },
    },
    recovery: {
      figure: "SIGKILL of the pipeline worker → next committed snapshot, p95",
      limit: { kind: "at-most", value: 1_000, unit: "ms" },
    },
  },
  measure: async ({ plan, root }) => {
    if (!hasProcessFigures()) return { freshness: NO_PROC, cpu: NO_PROC, recovery: NO_PROC };
    const dataFolder = join(root, "live");
    const folder = dataFolderAt(dataFolder);
    const run = startRun(dataFolder, ["--source", "demo", "--rate", String(LIVE_RATE)]);
    try {
      const warm = await firstCommit(run, folder);
      await spanOf(WARM_UP_MS);
      const { percent, parts } = await cpuOver(run, plan.liveSeconds * 1_000);
      const { records, p50Ms, p99Ms } = await runMeasurement("freshness", {
        root: dataFolder,
        source: SOURCE,
        skipRecords: warm + (LIVE_RATE * WARM_UP_MS) / 1_000,
      });
      const recoveries = await killAgainAndAgain(run, folder, plan.kills);
      const span = `${plan.liveSeconds} s${plan.isQuick ? " instead of 120 s" : ""}`;
      return {
        freshness: {
          value: p99Ms,
          baseline: `p50 ${p50Ms.toFixed(0)} ms`,
          note: `commit time − received time of each of ${records} records in ${span}`,
        },
        cpu: { value: percent, baseline: "", note: `over ${span}: ${parts}; the feed is not counted` },
        recovery: {
          value: quantile(recoveries, 0.95),
          baseline: `p50 ${quantile(recoveries, 0.5).toFixed(0)} ms`,
          note: `${recoveries.length} kills${plan.isQuick ? " instead of 20" : ""}, by commit times`,
        },
      };
    } finally {
      await run.stop();
    }
  },
};

/** Waits for the first commit of records; its last offset. */
function firstCommit(run: CommandRun, folder: DataFolder): Promise<number> {
  return waitUntil("the first commit", () => {
    assertRunning(run);
    return lastOffset(folder);
  });
}

/** Last offset of the newest commit; null while the lake is being made or has none. */
async function lastOffset(folder: DataFolder): Promise<number | null> {
  if (!existsSync(folder.catalog)) return null;
  try {
    return await withReader(
      folder,
      async (reader) => reader.snapshots(10).find(({ kind }) => kind === "commit")?.toOffset ?? null,
    );
  } catch (error) {
    if (error instanceof AppError && error.code === "snapshot-unknown") return null;
    throw error;
  }
}

async function cpuOver(run: CommandRun, ms: number): Promise<{ percent: number; parts: string }> {
  const workers = workersOf(run.pid).filter(({ name }) => name !== "feed");
  const before = workers.map(({ pid }) => cpuMs(pid));
  const began = performance.now();
  await spanOf(ms);
  const elapsed = performance.now() - began;
  const shares = workers.map(({ name, pid }, index) => ({
    name,
    percent: ((cpuMs(pid) - (before[index] ?? 0)) / elapsed) * 100,
  }));
  assertRunning(run);
  if (shares.some(({ percent }) => percent < 0))
    throw new Error("a worker was restarted while its CPU was measured");
  return {
    percent: shares.reduce((sum, { percent }) => sum + percent, 0),
    parts: shares.map(({ name, percent }) => `${name} ${percent.toFixed(1)} %`).join(", "),
  };
}

async function killAgainAndAgain(
  run: CommandRun,
  folder: DataFolder,
  kills: number,
): Promise<readonly number[]> {
  return withReader(folder, async (reader) => {
    const recoveries: number[] = [];
    while (recoveries.length < kills) {
      const pid = await waitUntil("a pipeline worker", () => workerPid(run.pid, "pipeline"));
      const killedMs = Date.now();
      process.kill(pid, "SIGKILL");
      const commitTimeMs = await waitUntil("a commit after the kill", () => {
        assertRunning(run);
        return workerPid(run.pid, "pipeline") === pid ? null : commitAfter(reader, killedMs);
      });
      recoveries.push(commitTimeMs - killedMs);
      await spanOf(BETWEEN_KILLS_MS);
    }
    return recoveries;
  });
}

/** Time of the oldest kept commit of records after a moment, or null. */
function commitAfter(reader: LakeReader, momentMs: number): number | null {
  const times = reader
    .snapshots(100)
    .filter(({ kind }) => kind === "commit")
    .map(({ commitTimeUs }) => commitTimeUs / 1_000)
    .filter((ms) => ms > momentMs);
  return times.length === 0 ? null : Math.min(...times);
}

async function withReader<T>(folder: DataFolder, read: (reader: LakeReader) => Promise<T>): Promise<T> {
  const reader = openLakeReader({
    catalogPath: folder.catalog,
    lakeData: folder.lakeData,
    tempFolder: folder.tmp,
  });
  try {
    return await read(reader);
  } finally {
    await reader.close();
  }
}
