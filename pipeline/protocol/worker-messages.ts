import type { WireError } from "#storage/model/errors.ts";
import type { FailpointName } from "#storage/model/failpoints.ts";
import type { NoteBody } from "#storage/model/record.ts";
import type { Settings } from "#storage/model/settings.ts";
import type { FeedProgress } from "./feed-progress.ts";
import type { FeedTelemetry, IngestTelemetry, PipelineTelemetry, QueryTelemetry } from "./telemetry.ts";
import type { QueryProgress, QueryRequest, QueryResponse } from "./query-messages.ts";

/** The workers of one data folder. */
export type WorkerName = "ingest" | "pipeline" | "query" | "feed";

/** Where a source's records come from, as the user or the command line said it. */
export type SourceSpec =
  | { readonly kind: "sse"; readonly source: string; readonly url: string; readonly stream: string }
  | { readonly kind: "file"; readonly source: string; readonly path: string };

/** First message to every worker: everything it needs; it answers with `ready` or `failed`. */
export type StartMessage =
  | {
      readonly type: "start";
      readonly worker: "ingest";
      readonly dataFolder: string;
      readonly source: SourceSpec;
      readonly settings: Settings;
      /** False where the user has no readable settings file: what is in force in an existing log stays in force. */
      readonly hasSettingsWish: boolean;
      /** Highest offset of this source that main was told of as durable; a log below it lost its tail. 0 = never told. */
      readonly seenHead: number;
      readonly stopAfter: StopAfter;
    }
  | {
      readonly type: "start";
      readonly worker: "pipeline";
      readonly dataFolder: string;
      readonly sources: readonly string[];
      readonly settings: Settings;
      /** Highest snapshot id that main was told of; a catalog below it went back. 0 = never told. */
      readonly seenSnapshotId: number;
      readonly stopAfter: StopAfter;
    }
  | { readonly type: "start"; readonly worker: "query"; readonly dataFolder: string }
  | { readonly type: "start"; readonly worker: "feed"; readonly feed: FeedOptions };

/** Limits of a run: `events` counts distinct committed records that are no canary, dead letters included; null = no limit. */
export type StopAfter = { readonly events: number | null };

/** Options of the demo feed (issue "Demo feed"). `rate` 0 = as fast as possible. */
export type FeedOptions = {
  readonly port: number;
  readonly rate: number;
  /** Events per second of event time; null = the rate, 2,000 for max. */
  readonly eventRate: number | null;
  /** Number of distinct events to produce; null = without end. */
  readonly events: number | null;
  readonly seed: number;
  /** T0 in ms since 1970 UTC; null = now (or now − events / event rate for max). */
  readonly startMs: number | null;
  readonly manifestPath: string | null;
  readonly faults: readonly string[];
  /** Connections are ended after this long; Wikimedia: 900,000. */
  readonly connectionMaxMs: number;
  /** Set where a feed takes the place of one that was killed: it goes on with that one's events. */
  readonly goOn: FeedProgress | null;
};

/** Messages to a worker after `start`. */
export type ToWorker =
  | StartMessage
  | { readonly type: "stop" }
  | { readonly type: "ping"; readonly seq: number }
  /** The newest telemetry frame was used; the worker may send the next. */
  | { readonly type: "telemetry-ack" }
  | {
      readonly type: "arm-failpoint";
      readonly name: FailpointName;
      readonly hit: number;
      readonly reportPath: string;
    }
  /** Takes back the failpoint that was armed last, where it was not reached. */
  | { readonly type: "disarm-failpoint" }
  | { readonly type: "pause" }
  | { readonly type: "resume" }
  | { readonly type: "settings"; readonly settings: Settings }
  /** To ingest: a fact about this run that the log is to keep. */
  | { readonly type: "note"; readonly body: NoteBody }
  /** To ingest, from the pipeline through main: holes to ask for at the next reconnect. */
  | {
      readonly type: "ask-gap";
      readonly topic: string;
      readonly partition: number;
      readonly fromOffset: number;
      readonly toOffset: number;
      readonly sinceMs: number;
    }
  /** To ingest: how far the lake is sealed, so that retention may go on behind it. */
  | {
      readonly type: "sealed";
      readonly source: string;
      readonly sealedOffset: number;
      readonly checkpoint: number;
    }
  /** To pipeline: ingest was started anew and knows no holes; tell those that were not asked for again. */
  | { readonly type: "repeat-gaps" }
  /** To pipeline: the log has new records up to here (a hint; it also polls). */
  | { readonly type: "head"; readonly source: string; readonly head: number }
  | { readonly type: "query"; readonly seq: number; readonly request: QueryRequest }
  | { readonly type: "cancel"; readonly seq: number };

/** Messages from a worker. */
export type FromWorker =
  | { readonly type: "ready"; readonly pid: number; readonly info: Readonly<Record<string, string | number>> }
  | { readonly type: "pong"; readonly seq: number }
  | {
      readonly type: "telemetry";
      readonly telemetry: IngestTelemetry | PipelineTelemetry | QueryTelemetry | FeedTelemetry;
    }
  | {
      readonly type: "gap-found";
      readonly topic: string;
      readonly partition: number;
      readonly fromOffset: number;
      readonly toOffset: number;
      readonly sinceMs: number;
    }
  | { readonly type: "log-line"; readonly level: "info" | "warn" | "error"; readonly message: string }
  | { readonly type: "answer"; readonly seq: number; readonly response: QueryResponse }
  /** How far a question is, at most 4 times a second; its answer still comes. */
  | { readonly type: "progress"; readonly seq: number; readonly progress: QueryProgress }
  | { readonly type: "refused"; readonly seq: number; readonly error: WireError }
  /** The worker reached its own end (file at its end, `events` reached, told to stop) and exits with code 0. */
  | { readonly type: "finished"; readonly reason: "stopped" | "end-of-source" | "events-reached" }
  /** The worker cannot go on and exits; `error.kind` decides what the supervisor does. */
  | { readonly type: "failed"; readonly error: WireError };

/** Exit codes of workers: 0 finished, 70 fatal AppError (already sent as `failed`), 75 parent gone; anything else is a crash. */
export const WORKER_EXIT = { finished: 0, failed: 70, orphaned: 75 } as const;
