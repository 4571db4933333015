import type { CorpusFacts } from "../corpus/corpus-file.ts";
import type { FilledLog } from "../corpus/fill-log.ts";

/** Which events a log is filled with: a corpus file, or the generator itself where a file would be too large. */
export type LogContent = {
  readonly corpusPath: string | null;
  readonly events: number;
  readonly eventRate: number;
};

/** Where a measurement works: a data folder and the source in it. */
export type Place = { readonly root: string; readonly source: string };

/** One published snapshot of a run. */
export type CommitPoint = {
  readonly fromOffset: number;
  readonly toOffset: number;
  readonly commitTimeMs: number;
};

/**
 * Speeds of the baseline, thousands of events a second on one core, and the CPU time of its thread for one event, µs:
 * that does not change when the machine has other things to do.
 */
export type BaselineSpeeds = {
  readonly parse: number;
  readonly validate: number;
  readonly validateCpuUs: number;
};

/** What lies in a lake after a run. */
export type LakeFacts = {
  /** Parquet files and catalog. */
  readonly lakeBytes: number;
  /** Of these the catalog: rows of open windows, and what kept snapshots still see. */
  readonly catalogBytes: number;
  readonly silverRows: number;
};

/** Freshness of every record of a live run, ms: commit time − received time. */
export type FreshnessFacts = { readonly records: number; readonly p50Ms: number; readonly p99Ms: number };

/** CPU time of the thread per event by step of a catching-up batch, µs, and of the gold fold early and late. */
export type StageTimes = {
  readonly events: number;
  readonly readUs: number;
  readonly decideUs: number;
  readonly goldUs: number;
  readonly prepareUs: number;
  readonly commitUs: number;
  /** Gold fold per batch, ms: median of the batches behind `foldEarlyAt` events, and of the last ones. */
  readonly foldEarlyAt: number;
  readonly foldEarlyMs: number;
  readonly foldLateMs: number;
};

/** A live lake under a simulated clock. Sizes in bytes, taken once per simulated 10 minutes. */
export type HoursFacts = {
  readonly simulatedMinutes: number;
  readonly commits: number;
  readonly catalogBytes: readonly number[];
  readonly commitP99Ms: readonly number[];
};

/** One query, ours beside native DuckDB on the same Parquet files; median of several runs, ms. */
export type QueryTimes = { readonly name: string; readonly oursMs: number; readonly nativeMs: number };

/** Every measurement that runs in a process of its own, so that none warms up or fills the memory of another. */
export type Measurements = {
  readonly corpus: {
    readonly input: { readonly path: string; readonly events: number; readonly eventRate: number };
    readonly output: CorpusFacts;
  };
  readonly baseline: {
    readonly input: { readonly corpusPath: string; readonly events: number };
    readonly output: BaselineSpeeds;
  };
  readonly fill: { readonly input: Place & { readonly content: LogContent }; readonly output: FilledLog };
  readonly lake: { readonly input: Place; readonly output: LakeFacts };
  readonly freshness: {
    readonly input: Place & { readonly skipRecords: number };
    readonly output: FreshnessFacts;
  };
  readonly stages: {
    /** `writes` false: batches are decided and thrown away, which is enough for the fold and spares the disk. */
    readonly input: Place & { readonly lakeRoot: string; readonly writes: boolean };
    readonly output: StageTimes;
  };
  readonly hours: {
    readonly input: Place & { readonly minutes: number; readonly eventsPerSecond: number };
    readonly output: HoursFacts;
  };
  readonly queries: { readonly input: Place; readonly output: readonly QueryTimes[] };
  readonly loopback: {
    readonly input: { readonly url: string };
    readonly output: { readonly bytes: number; readonly ms: number };
  };
};

/** A name of {@link Measurements}; its file is `<name>.measure.ts` in this folder. */
export type MeasurementName = keyof Measurements;
