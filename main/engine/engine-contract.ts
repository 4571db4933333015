import type { QueryProgress, QueryRequest, QueryResponse } from "#pipeline/protocol/query-messages.ts";
import type { FailpointName } from "#storage/model/failpoints.ts";
import type { WorkerName } from "#pipeline/protocol/worker-messages.ts";
import type { AppStatus, SourceMode } from "../contract/app-status.ts";

/** Whether a failpoint was armed; the worker writes `reportPath` when it gets there. */
export type ArmedFailpoint =
  | { readonly armed: true; readonly reportPath: string }
  | { readonly armed: false; readonly reason: string };

/**
 * The running product behind any face (window, terminal, local socket): workers of one data folder under supervision.
 * Made by `startEngine` (main/compose.ts). Opens no database itself.
 */
export type Engine = {
  readonly status: () => AppStatus;
  /** Called with the newest status, at most 4 times a second; returns the end of the subscription. */
  readonly onStatus: (listener: (status: AppStatus) => void) => () => void;
  /** Asks the query worker. Rejects with AppError (`statement-refused`, `snapshot-unknown`, `worker-gone`, …). */
  readonly query: (
    request: QueryRequest,
    signal?: AbortSignal,
    onProgress?: (progress: QueryProgress) => void,
  ) => Promise<QueryResponse>;
  readonly pause: () => void;
  readonly resume: () => void;
  /** After a failed source: try again now. */
  readonly retry: () => void;
  /** Stops the workers of one source and data folder and starts those of another mode, in that mode's own folder. */
  readonly switchTo: (mode: Exclude<SourceMode, "file">) => Promise<void>;
  /** Kills one worker's process with SIGKILL; false when none runs. */
  readonly kill: (worker: WorkerName) => boolean;
  /** Tells a running worker to stop at the `hit`-th pass of a place. Refused, with the reason, when there is no process to tell. */
  readonly armFailpoint: (worker: WorkerName, name: FailpointName, hit: number) => ArmedFailpoint;
  /** Takes back what {@link armFailpoint} armed, where the worker did not get there yet. */
  readonly disarmFailpoint: (worker: WorkerName) => void;
  /** Resolves when every worker reached its own end or gave up. */
  readonly done: Promise<void>;
  /** Stops all workers cleanly, at most 5 s, then by force. Safe to call twice. */
  readonly stop: () => Promise<void>;
};
