import type { CatalogWentBack } from "#storage/model/lake.ts";
import type { GapState } from "#storage/model/ledger.ts";
import type { ResultSettings } from "#storage/model/settings.ts";
import type { LakeStepsTelemetry } from "./lake-steps.ts";
import type { FeedProgress } from "./feed-progress.ts";

/**
 * Telemetry is cumulative and at most 4 frames a second, one unacknowledged (architecture.md "Processes"):
 * losing a frame loses nothing. Rates are over the last 5 s of true elapsed (monotonic) time.
 */
export type ConnectionState =
  | { readonly state: "idle" }
  | { readonly state: "connecting"; readonly attempt: number }
  /** `alive`: bytes came within the idle limit. `receiving`: a record did. Only then is it green. */
  | { readonly state: "open"; readonly sinceMs: number; readonly receiving: boolean }
  | {
      readonly state: "backing-off";
      readonly untilMs: number;
      readonly attempt: number;
      readonly reason: string;
    }
  | { readonly state: "paused" }
  | { readonly state: "ended"; readonly reason: string }
  | { readonly state: "failed"; readonly code: string; readonly reason: string; readonly remedy: string };

/** What ingest says of itself. */
export type IngestTelemetry = {
  readonly worker: "ingest";
  readonly source: string;
  readonly url: string;
  readonly connection: ConnectionState;
  readonly head: number;
  readonly appended: number;
  readonly appendedBytes: number;
  readonly cutFrames: number;
  readonly connections: number;
  readonly bufferedBytes: number;
  readonly recordsPerSecond: number;
  readonly logBytes: number;
  readonly segments: number;
  readonly lastReceivedMs: number | null;
  readonly lastRecordMs: number | null;
  readonly serverOffsetMs: number | null;
  /** Broken segments that this process set aside when it took the log over; the newest {@link MAX_TOLD}. */
  readonly quarantined: readonly QuarantinedTelemetry[];
  /** Set while the log cannot be written (disk full, held by another program): since when, and why in a sentence. */
  readonly logHeld: { readonly sinceMs: number; readonly reason: string } | null;
  readonly rssBytes: number;
  readonly atMs: number;
};

/** Most places, holes or segments that a frame names one by one; the counts beside them are whole. */
export const MAX_TOLD = 5;

/** A broken segment of the log that was set aside, never deleted. */
export type QuarantinedTelemetry = {
  readonly movedTo: string;
  readonly fromOffset: number;
  readonly reason: string;
};

/** Offsets of the log behind which records may be missing, as the lake lists them (ledger/lost-ranges.ts). */
export type LossTelemetry = {
  readonly fromOffset: number;
  readonly toOffset: number;
  readonly reason: string;
  /** Log offset at which it was found or grew. */
  readonly changedAt: number;
};

/** Source offsets of one topic that did not arrive. */
export type HoleTelemetry = {
  readonly topic: string;
  readonly fromOffset: number;
  readonly toOffset: number;
  readonly state: GapState;
};

/** Settings that decide results, and the offset of the log from which on they hold; null where an older build wrote none. */
export type SettingsTelemetry = {
  readonly sinceOffset: number | null;
  readonly inForce: ResultSettings;
  /** Names among `disabledRules` that switch nothing off: no such rule, or one whose failure bronze could not hold. */
  readonly rulesStillOn: readonly string[];
};

/** What the lake says of one source besides its counts; all of it as of the checkpoint. */
export type SourceFactsTelemetry = {
  /** Null before the first commit. */
  readonly settings: SettingsTelemetry | null;
  /** Received time of the newest commit with a record that is no liveness signal, by this process; null before it. */
  readonly lastEditMs: number | null;
  /** Liveness signals committed since then: with several of them the source is alive, but sends no edits. */
  readonly filteredSinceEdit: number;
  /** Holes of topics that carry edits, not filled (yet). */
  readonly activeHoles: { readonly count: number; readonly newest: readonly HoleTelemetry[] };
  readonly losses: { readonly count: number; readonly newest: readonly LossTelemetry[] };
};

/** What the pipeline says of itself, for one source. All ledger numbers are those of `snapshotId`. */
export type PipelineTelemetry = SourceFactsTelemetry & {
  readonly worker: "pipeline";
  readonly source: string;
  readonly checkpoint: number;
  readonly head: number;
  readonly snapshotId: number;
  readonly commitTimeMs: number | null;
  /** Commit time − received time of the newest record of the last commit, ms. */
  readonly freshnessMs: number | null;
  readonly freshnessP50Ms: number | null;
  readonly freshnessP99Ms: number | null;
  readonly watermarkMs: number | null;
  readonly recordsPerSecond: number;
  /** Records a second by hop of the ledger, over the last 5 s; a hop that is missing had none. */
  readonly hopRates: Readonly<Record<string, number>>;
  /** The newest commits and seals of this process, over all sources of the lake. */
  readonly steps: LakeStepsTelemetry;
  readonly mode: "live" | "catching-up";
  readonly ledger: Readonly<Record<string, number>>;
  /** Holes in the source's own offsets; losses without a hole are in `losses`. */
  readonly gaps: readonly { readonly state: GapState; readonly count: number }[];
  readonly hotRows: number;
  /** Rows of gold windows that a newer event may still change. */
  readonly openWindowRows: number;
  readonly sealedOffset: number;
  readonly catalogBytes: number;
  /** Wrong local or server clock suspected (architecture.md "Validate"); a state, never a verdict. */
  readonly clockWrong: boolean;
  /** Set while commits wait, because another program holds the catalog or the disk is full: since when, ms. */
  readonly catalogHeldSinceMs: number | null;
  /** Which of the two it is. */
  readonly catalogHeldBy: "catalog-held" | "disk-full" | null;
  /** Set when this process found the catalog older than what main had seen of it, and went on above that. */
  readonly wentBack: CatalogWentBack | null;
  readonly committedEvents: number;
  readonly rssBytes: number;
  readonly atMs: number;
};

/** What the query worker says of itself. */
export type QueryTelemetry = {
  readonly worker: "query";
  readonly running: number;
  readonly rssBytes: number;
  readonly atMs: number;
};

/** What the demo feed says of itself. */
export type FeedTelemetry = {
  readonly worker: "feed";
  readonly url: string;
  readonly clients: number;
  readonly produced: number;
  readonly sent: number;
  /** What a feed that takes this one's place is told. */
  readonly progress: FeedProgress;
  readonly atMs: number;
};
