import type { WireError } from "#storage/model/errors.ts";
import type { LakeSettings } from "#storage/model/settings.ts";
import type { PackedCommit } from "../batch/pack-commit.ts";
import type { BatchPlan } from "../batch/plan-batch.ts";
import type { GapQuestion } from "../ledger/gaps.ts";
import type { ToWorker } from "../protocol/worker-messages.ts";

/**
 * What the two threads of the pipeline worker say to each other. The *deciding* thread reads the log and holds all state that
 * decides (dedup ids, watermark, open windows, gaps, ledger); the *writing* thread is the worker's main thread and the lake's
 * only writer. Commits cross in offset order, at most one of each source under way.
 */

/** What the deciding thread needs to begin; the lake exists by then. */
export type DecideStart = {
  readonly dataFolder: string;
  readonly sources: readonly string[];
  readonly settings: LakeSettings;
};

/** What a screen is told of a source that only the deciding thread knows. */
export type SourceView = {
  readonly source: string;
  /** Last offset in the log, as last seen. */
  readonly head: number;
  readonly mode: BatchPlan["mode"];
  readonly clockWrong: boolean;
};

/** From the writing thread. */
export type ToDecider =
  | { readonly type: "begin"; readonly start: DecideStart }
  | { readonly type: "settings"; readonly settings: LakeSettings }
  /** The answer to `commit` and `maintain`. `published`: false when it was given up, since the worker stops. */
  | { readonly type: "done"; readonly turn: number; readonly published: boolean }
  | Extract<ToWorker, { readonly type: "arm-failpoint" | "disarm-failpoint" }>
  | { readonly type: "stop" };

/** A source whose state was read back from the lake. */
export type SourceReady = {
  readonly source: string;
  readonly questions: readonly GapQuestion[];
};

/** From the deciding thread. */
export type FromDecider =
  | { readonly type: "ready"; readonly sources: readonly SourceReady[] }
  /** To be published; `questions` are holes as of its last offset that nobody has asked for. */
  | {
      readonly type: "commit";
      readonly turn: number;
      readonly commit: PackedCommit;
      readonly questions: readonly GapQuestion[];
    }
  /** Nothing is to be committed: time for a step of maintenance. */
  | { readonly type: "maintain"; readonly turn: number }
  | { readonly type: "view"; readonly view: SourceView }
  /** After `stop`: every loop ended and every file is closed. */
  | { readonly type: "stopped" }
  | { readonly type: "failed"; readonly error: WireError };
