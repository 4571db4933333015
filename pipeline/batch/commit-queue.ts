import { AppError } from "#storage/model/errors.ts";
import type { Clock } from "#storage/model/clock.ts";
import type { CommitInput, CommitResult, LakeWriter, MaintenanceResult } from "#storage/model/lake.ts";
import { maintainOnce } from "../maintenance/maintain-once.ts";

/** Between two tries while another program holds the catalog or the disk is full. */
const RETRY_MS = 200;

/** Why commits wait, and since when, ms. */
export type Held = { readonly code: "catalog-held" | "disk-full"; readonly sinceMs: number };

/** A commit that was published, and how long that took (without waits for a held catalog), ms. */
export type Committed = {
  readonly input: CommitInput;
  readonly result: CommitResult;
  readonly tookMs: number;
};

/** A step of maintenance, also one that found nothing to do. */
export type Maintained = { readonly result: MaintenanceResult; readonly tookMs: number };

/** Where a batch loop leaves what it decided. */
export type CommitLine = Pick<CommitQueue, "commit" | "maintain">;

/**
 * Commits of all sources of one lake, one after the other, with a step of maintenance between them. A transient error
 * is retried from a timer, so the worker's heartbeat goes on; anything else ends the worker.
 */
export class CommitQueue {
  readonly #lake: LakeWriter;
  readonly #clock: Clock;
  readonly #onCommit: (committed: Committed) => void;
  readonly #onMaintained: (maintained: Maintained) => void;
  #last: Promise<void> = Promise.resolve();
  #held: Held | null = null;
  #isStopped = false;

  constructor(
    lake: LakeWriter,
    clock: Clock,
    onCommit: (committed: Committed) => void,
    onMaintained: (maintained: Maintained) => void = () => undefined,
  ) {
    this.#lake = lake;
    this.#clock = clock;
    this.#onCommit = onCommit;
    this.#onMaintained = onMaintained;
  }

  /** Null when commits go through. */
  get held(): Held | null {
    return this.#held;
  }

  /** Publishes `input` after everything before it. Resolves to false when the queue was stopped before it could. */
  commit(input: CommitInput): Promise<boolean> {
    return this.#inTurn(async () => {
      const published = await this.#retry(() => this.#timed(() => this.#lake.commit(input)));
      if (published === null) return false;
      this.#onCommit({ input, ...published });
      await this.#maintainOnce();
      return true;
    });
  }

  /** Maintenance while there is nothing to commit, until it finds nothing to do or a commit waits. */
  maintain(): Promise<void> {
    return this.#inTurn(() => this.#maintainOnce());
  }

  /** Gives up what waits for a retry, and waits for what is being published. The log still holds what was given up. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#last;
  }

  async #maintainOnce(): Promise<void> {
    const { result, tookMs } = await this.#timed(() => maintainOnce(this.#lake, this.#clock.nowMs()));
    if (result !== null) this.#onMaintained({ result, tookMs });
  }

  async #timed<T>(step: () => Promise<T>): Promise<{ result: T; tookMs: number }> {
    const beganMs = this.#clock.monotonicMs();
    const result = await step();
    return { result, tookMs: Math.round(this.#clock.monotonicMs() - beganMs) };
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#last.then(step);
    // The failure is told to its own caller; the next in the queue must not inherit it.
    this.#last = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  async #retry<T>(step: () => Promise<T>): Promise<T | null> {
    for (;;) {
      if (this.#isStopped) return null;
      try {
        const result = await step();
        this.#held = null;
        return result;
      } catch (error) {
        if (!(error instanceof AppError) || error.kind !== "transient") throw error;
        const code = error.code === "disk-full" ? "disk-full" : "catalog-held";
        this.#held = { code, sinceMs: this.#held?.sinceMs ?? this.#clock.nowMs() };
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}
