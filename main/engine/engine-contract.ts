import type { QueryProgress, QueryRequest, QueryResponse } from "#pipeline/protocol/query-messages.ts";
import type { FailpointName } from "#storage/model/failpoints.ts";
import type { WorkerName } from "#pipeline/protocol/worker-messages.ts";
import type { SettingsView } from "../contract/settings-view.ts";
import type { AppStatus, SourceMode } from "../contract/app-status.ts";

/** Whether a failpoint was armed; the worker writes `reportPath` when it gets there. */
export type ArmedFailpoint =
  | { readonly armed: true; readonly reportPath: string }
  | { readonly armed: false; readonly reason: string };

/** A source to switch to: the live feed, the demo feed, or a recording by its path. */
export type SwitchTarget = Exclude<SourceMode, "file"> | { readonly path: string };

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
  readonly settings: () => SettingsView;
  /** Writes the wish and applies it. Rejects with `usage`, every mistake named, and nothing written. */
  readonly saveSettings: (text: string) => Promise<SettingsView>;
  /** Stops taking records and closes the connection; what is in the log is still committed. */
  readonly stopSource: () => Promise<void>;
  /** After {@link stopSource}: goes on from the stored position. */
  readonly startSource: () => void;
  /**
   * Stops the workers of one source and data folder and starts those of another, in that one's own folder. Rejects, with the
   * first one running again, where the other cannot be had (`source-file-unreadable`, `data-folder-in-use`).
   */
  readonly switchTo: (target: SwitchTarget) => Promise<void>;
  /** True while the workers of one source make room for those of another. */
  readonly isSwitching: () => boolean;
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
