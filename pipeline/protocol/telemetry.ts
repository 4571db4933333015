import type { GapState } from "#storage/model/ledger.ts";

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
  readonly rssBytes: number;
  readonly atMs: number;
};

/** What the pipeline says of itself, for one source. All ledger numbers are those of `snapshotId`. */
export type PipelineTelemetry = {
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
  readonly mode: "live" | "catching-up";
  readonly ledger: Readonly<Record<string, number>>;
  readonly gaps: readonly { readonly state: GapState; readonly count: number }[];
  readonly hotRows: number;
  readonly sealedOffset: number;
  readonly catalogBytes: number;
  /** Wrong local or server clock suspected (architecture.md "Validate"); a state, never a verdict. */
  readonly clockWrong: boolean;
  /** Set while another program holds the catalog: since when, ms. */
  readonly catalogHeldSinceMs: number | null;
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
  readonly atMs: number;
};
