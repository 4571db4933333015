import { createBatchState } from "#pipeline/batch/batch-state.ts";
import { LAKE_TABLES } from "#pipeline/batch/lake-tables.ts";
import { runBatch } from "#pipeline/batch/run-batch.ts";
import { maintainOnce } from "#pipeline/maintenance/maintain-once.ts";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openLakeWriter } from "#storage/lake/lake-writer.ts";
import { type Offset, offsetAfter, toOffset, toSourceName } from "#storage/model/brand.ts";
import type { LogRead } from "#storage/model/log.ts";
import type { LogRecord } from "#storage/model/record.ts";
import { DEFAULT_SETTINGS } from "#storage/model/settings.ts";
import { corpusFrames, corpusPlan } from "../corpus/frames.ts";
import { answer, quantile } from "./answer.ts";

const SAMPLE_MS = 600_000;
/** Ingest's group commit and the pipeline's batch interval: how long a record waits at most. */
const STEP_MS = DEFAULT_SETTINGS.lake.liveBatchMs;
const ARRIVAL_MS = 2_000;

/**
 * The pipeline's own stages and the real lake, live, with the clock moved by hand: hours of a steady feed in minutes.
 * Every simulated batch interval has its commit and its step of maintenance, as in the worker.
 */
await answer("hours", async ({ root, source: name, minutes, eventsPerSecond }) => {
  const source = toSourceName(name);
  const plan = corpusPlan(Math.ceil(minutes * 60 * eventsPerSecond), eventsPerSecond);
  const startMs = plan.startMs + ARRIVAL_MS;
  const clock = { wallMs: startMs, nowMs: () => clock.wallMs, monotonicMs: () => clock.wallMs };
  const folder = dataFolderAt(root);
  const lake = await openLakeWriter({ folder, tables: LAKE_TABLES, settings: DEFAULT_SETTINGS.lake, clock });
  const frames = corpusFrames(plan);
  const state = createBatchState(source, null);
  const catalogBytes: number[] = [];
  const commitP99Ms: number[] = [];
  let [times, commits, fed]: [number[], number, number] = [[], 0, 0];
  const sample = (): void => {
    catalogBytes.push(lake.catalogBytes());
    commitP99Ms.push(quantile(times, 0.99));
    times = [];
  };
  try {
    for (let at = STEP_MS; at <= minutes * 60_000; at += STEP_MS) {
      clock.wallMs = startMs + at;
      const due = Math.floor((at * eventsPerSecond) / 1_000) - fed;
      const read = takeRecords(frames, offsetAfter(state.checkpoint), due, clock.wallMs);
      fed += due;
      if (read.records.length > 0) {
        const input = await runBatch(state, read, lake.reader, "live");
        const began = performance.now();
        await lake.commit(input);
        times.push(performance.now() - began);
        commits += 1;
      }
      await maintainOnce(lake, clock.wallMs);
      if (at % SAMPLE_MS < STEP_MS) sample();
    }
    if (times.length > 0) sample();
  } finally {
    await lake.close();
  }
  return { simulatedMinutes: minutes, commits, catalogBytes, commitP99Ms };
});

function takeRecords(
  frames: Generator<{ readonly id: string; readonly data: string }>,
  fromOffset: Offset,
  count: number,
  receivedTimeMs: number,
): LogRead {
  const records: LogRecord[] = [];
  while (records.length < count) {
    const frame = frames.next();
    if (frame.done === true) break;
    records.push({
      offset: offsetAfter(fromOffset, records.length),
      kind: "event",
      stream: "message",
      sourceId: frame.value.id,
      receivedTimeMs,
      serverOffsetMs: null,
      data: Buffer.from(frame.value.data),
      detail: null,
    });
  }
  return { fromOffset, toOffset: toOffset(fromOffset + records.length - 1), records, unreadable: [] };
}
