import { failpoint } from "#storage/failpoint/failpoint.ts";
import { type Offset, offsetAfter } from "#storage/model/brand.ts";
import { AppError } from "#storage/model/errors.ts";
import type { LakeReader } from "#storage/model/lake.ts";
import type { LogRead, LogReader } from "#storage/model/log.ts";
import type { LakeSettings } from "#storage/model/settings.ts";
import type { BatchState } from "./batch-state.ts";
import type { CommitLine } from "./commit-queue.ts";
import { isAmending } from "./decide-record.ts";
import { BATCH_MAX_BYTES, type BatchPlan, cutAtAmendRuns, planBatch } from "./plan-batch.ts";
import { type OnBreath, runBatch } from "./run-batch.ts";

/** What a loop works with. */
export type BatchLoopOptions = {
  readonly log: LogReader;
  readonly lake: LakeReader;
  readonly queue: CommitLine;
  readonly state: BatchState;
  readonly settings: LakeSettings;
  /** Whoever takes rows out here adds them to the commit. */
  readonly onBreath?: OnBreath;
};

/** The first batch of a process runs in code that is not compiled yet: a twentieth is committed a second or two earlier. */
const FIRST_SHARE = 1 / 20;

/** At idle, maintenance is asked for this often: its own limits are minutes and thousands of rows. */
const IDLE_MAINTENANCE_MS = 1_000;

/**
 * Follows one source's log for ever: read → run → commit. Live, a batch every `liveBatchMs`; catching up, large batches,
 * each parsed while the one before is being committed (at most one batch waits, so memory is bounded).
 * `run` resolves after `stop`, and rejects with whatever is not transient.
 */
export class BatchLoop {
  readonly #options: BatchLoopOptions;
  #pending: Promise<boolean> | null = null;
  #isStopping = false;
  #wake: (() => void) | null = null;
  #settings: LakeSettings;
  #head: number;
  #mode: BatchPlan["mode"] = "live";
  #idleMs = 0;
  #isFirst = true;

  constructor(options: BatchLoopOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#head = options.state.checkpoint;
  }

  /** Last offset in the log, as last seen. */
  get head(): number {
    return this.#head;
  }

  get mode(): BatchPlan["mode"] {
    return this.#mode;
  }

  async run(): Promise<void> {
    while (!this.#isStopping) {
      const began = performance.now();
      const isBehind = await this.#step();
      if (!isBehind) await this.#sleep(this.#settings.liveBatchMs - (performance.now() - began));
    }
    await this.#settle();
  }

  /** Ends after the batch in hand. */
  stop(): void {
    this.#isStopping = true;
    this.#wake?.();
  }

  applySettings(settings: LakeSettings): void {
    this.#settings = settings;
  }

  /** One batch, or nothing; true where another should follow at once. */
  async #step(): Promise<boolean> {
    const { state, lake, onBreath } = this.#options;
    const plan = this.#plan();
    this.#mode = plan.mode;
    const isShort = this.#isFirst && plan.mode === "catching-up";
    const maxRecords = isShort ? Math.ceil(plan.maxRecords * FIRST_SHARE) : plan.maxRecords;
    const read = this.#read(offsetAfter(state.checkpoint), maxRecords);
    if (read === null || read.toOffset < read.fromOffset) {
      await this.#idle();
      return false;
    }
    this.#isFirst = false;
    failpoint("pipeline-after-read");
    if (read.records.some(isAmending)) await this.#settle();
    const input = await runBatch(state, read, lake, plan.mode, onBreath);
    failpoint("pipeline-after-run");
    await this.#settle();
    this.#pending = this.#options.queue.commit(input);
    // A failure is met at the next settle; until then it must not count as nobody's.
    this.#pending.catch(() => undefined);
    if (plan.mode === "live") await this.#settle();
    this.#idleMs = 0;
    return plan.mode === "catching-up" || read.toOffset < this.#head;
  }

  #plan(): BatchPlan {
    this.#head = Math.max(this.#head, this.#transient(() => this.#options.log.head()) ?? 0);
    return planBatch(this.#head - this.#options.state.checkpoint, this.#settings);
  }

  #read(from: Offset, maxRecords: number): LogRead | null {
    if (this.#head < from) return null;
    const read = this.#transient(() => this.#options.log.read(from, maxRecords, BATCH_MAX_BYTES));
    return read === null ? null : cutAtAmendRuns(read);
  }

  /** Waits for the commit under way. Every batch before is in the lake afterwards. */
  async #settle(): Promise<void> {
    const pending = this.#pending;
    this.#pending = null;
    await pending;
  }

  async #idle(): Promise<void> {
    await this.#settle();
    this.#idleMs += this.#settings.liveBatchMs;
    if (this.#idleMs < IDLE_MAINTENANCE_MS) return;
    this.#idleMs = 0;
    await this.#options.queue.maintain();
  }

  /** Null where the log is held by another program just now: the next round asks again. */
  #transient<T>(ask: () => T): T | null {
    try {
      return ask();
    } catch (error) {
      if (error instanceof AppError && error.kind === "transient") return null;
      throw error;
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#isStopping || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }
}
