import { type BatchState, createBatchState } from "#pipeline/batch/batch-state.ts";
import { LAKE_TABLES } from "#pipeline/batch/lake-tables.ts";
import { BATCH_MAX_BYTES } from "#pipeline/batch/plan-batch.ts";
import { runBatch } from "#pipeline/batch/run-batch.ts";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openLakeWriter } from "#storage/lake/lake-writer.ts";
import { openLogReader } from "#storage/log/log-reader.ts";
import { offsetAfter, toSourceName } from "#storage/model/brand.ts";
import { systemClock } from "#storage/model/clock.ts";
import { DEFAULT_SETTINGS } from "#storage/model/settings.ts";
import { answer, quantile, threadCpuMs } from "./answer.ts";

/** Batches whose median stands for "early" and "late" in the history. */
const FOLD_BATCHES = 5;

/** The catching-up path step by step on one thread, without overlap: says where the time of a batch goes. */
await answer("stages", async ({ root, source: name, lakeRoot, writes }) => {
  const source = toSourceName(name);
  const { lake: settings } = DEFAULT_SETTINGS;
  const log = openLogReader({ folder: dataFolderAt(root).log(source), source });
  const lake = await openLakeWriter({
    folder: dataFolderAt(lakeRoot),
    tables: LAKE_TABLES,
    settings,
    clock: systemClock,
  });
  const spent = { read: 0, decide: 0, gold: 0, prepare: 0, commit: 0 };
  const folds: number[] = [];
  let events = 0;
  try {
    const state = createBatchState(source, null);
    const gold = watchGold(state.gold);
    const head = log.head();
    while (state.checkpoint < head) {
      const began = threadCpuMs();
      const read = log.read(offsetAfter(state.checkpoint), settings.catchUpRecords, BATCH_MAX_BYTES);
      const hasRead = threadCpuMs();
      const input = await runBatch(state, read, lake.reader, "catching-up");
      const hasDecided = threadCpuMs();
      const prepared = writes ? await lake.prepare(input) : null;
      const hasPrepared = threadCpuMs();
      if (prepared !== null) await lake.commitPrepared(prepared);
      const hasCommitted = threadCpuMs();
      const foldMs = gold.take();
      folds.push(foldMs);
      spent.read += hasRead - began;
      spent.decide += hasDecided - hasRead - foldMs;
      spent.gold += foldMs;
      spent.prepare += hasPrepared - hasDecided;
      spent.commit += hasCommitted - hasPrepared;
      events += read.records.length;
      if (writes) await lake.maintain(systemClock.nowMs());
    }
  } finally {
    log.close();
    await lake.close();
  }
  const perEventUs = (ms: number): number => (ms * 1_000) / events;
  // At a million events where the history is long, else behind the batches that are slow because nothing is compiled yet.
  const early = Math.min(Math.floor(1_000_000 / settings.catchUpRecords), Math.floor(folds.length / 3));
  return {
    events,
    readUs: perEventUs(spent.read),
    decideUs: perEventUs(spent.decide),
    goldUs: perEventUs(spent.gold),
    prepareUs: perEventUs(spent.prepare),
    commitUs: perEventUs(spent.commit),
    foldEarlyAt: early * settings.catchUpRecords,
    foldEarlyMs: quantile(folds.slice(early, early + FOLD_BATCHES), 0.5),
    // The last batch is smaller than the others.
    foldLateMs: quantile(folds.slice(-1 - FOLD_BATCHES, -1), 0.5),
  };
});

/** Clocks what the open windows take of a batch's time: folding every row, and taking rows at its end. Elapsed time, since asking for CPU time costs more than a fold. */
function watchGold(gold: BatchState["gold"]): { take: () => number } {
  let ms = 0;
  const clocked =
    <Arguments extends unknown[], Result>(call: (...given: Arguments) => Result) =>
    (...given: Arguments): Result => {
      const began = performance.now();
      const result = call(...given);
      ms += performance.now() - began;
      return result;
    };
  Object.assign(gold, { add: clocked(gold.add.bind(gold)), take: clocked(gold.take.bind(gold)) });
  return {
    take: () => {
      const taken = ms;
      ms = 0;
      return taken;
    },
  };
}
