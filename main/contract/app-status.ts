import type { WireError } from "#storage/model/errors.ts";
import type {
  FeedTelemetry,
  IngestTelemetry,
  PipelineTelemetry,
  QueryTelemetry,
} from "#pipeline/protocol/telemetry.ts";
import type { WorkerName } from "#pipeline/protocol/worker-messages.ts";

/** How a worker process is doing, as the supervisor sees it. */
export type WorkerStatus = {
  readonly name: WorkerName;
  readonly phase:
    | { readonly state: "stopped" }
    | { readonly state: "starting"; readonly pid: number | null }
    | { readonly state: "running"; readonly pid: number; readonly sinceMs: number }
    /** Alive but silent for longer than the heartbeat allows. */
    | { readonly state: "hanging"; readonly pid: number; readonly sinceMs: number }
    | { readonly state: "backing-off"; readonly untilMs: number }
    /** It reached its own end (end of file, `--events`). */
    | { readonly state: "finished"; readonly reason: string }
    | { readonly state: "gave-up"; readonly error: WireError };
  readonly restarts: number;
  /** How the last process ended, in words (`SIGKILL`, `exit code 70: …`), and when. */
  readonly lastExit: { readonly atMs: number; readonly how: string } | null;
};

/** Which kind of source runs. Demo data lives in a folder of its own and is never mixed with real data. */
export type SourceMode = "live" | "demo" | "file";

/** Something the user must know now, with the one thing to do about it. */
export type Banner = {
  readonly id: string;
  readonly tone: "info" | "warn" | "bad";
  readonly title: string;
  readonly detail: string;
  readonly action: {
    readonly label: string;
    readonly command: "source.use-demo" | "source.use-live" | "source.retry";
  } | null;
};

/** What a data folder takes of its disk, bytes. `isWhole` false: it has more files than are looked at, so it is larger. */
export type DiskUsage = {
  readonly logBytes: number;
  readonly lakeBytes: number;
  readonly otherBytes: number;
  readonly isWhole: boolean;
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly atMs: number;
};

/** Everything a window (or `highwater status`) shows about the running app; sent whole, at most 4 times a second. */
export type AppStatus = {
  readonly version: string;
  readonly dataFolder: string;
  readonly mode: SourceMode;
  readonly source: string;
  /** True while the user has stopped the source: nothing is received until it is started again. */
  readonly isSourceStopped: boolean;
  readonly startedMs: number;
  /** Size of the data folder and free space; null before the first look. */
  readonly disk: DiskUsage | null;
  /** What of the user's settings file could not be used; then the settings in force stay as they are. */
  readonly settingsFile: {
    readonly path: string;
    readonly problem: string | null;
    /** Grows with every change of the file. */
    readonly changes: number;
  };
  /** The feed that "live" means in this run: the address that was named, else Wikimedia's. */
  readonly liveFeed: { readonly source: string; readonly url: string };
  /** Everything the user must know now, worst first; empty where all is normal. */
  readonly banners: readonly Banner[];
  readonly workers: readonly WorkerStatus[];
  readonly ingest: IngestTelemetry | null;
  readonly pipeline: PipelineTelemetry | null;
  readonly query: QueryTelemetry | null;
  readonly feed: FeedTelemetry | null;
  readonly atMs: number;
};
