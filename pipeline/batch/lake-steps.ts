import type { Clock } from "#storage/model/clock.ts";
import type { LedgerHop } from "#storage/model/ledger.ts";
import {
  type BatchCounts,
  type BatchStep,
  type LakeStep,
  type LakeStepsTelemetry,
  MAX_TOLD_STEPS,
} from "../protocol/lake-steps.ts";
import type { Committed, Maintained } from "./commit-queue.ts";

/** The newest steps of this process on its lake, for the screen; {@link MAX_TOLD_STEPS} of them are kept. */
export class LakeSteps {
  readonly #clock: Clock;
  readonly #beganMs: number;
  #count = 0;
  #newest: readonly LakeStep[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#beganMs = clock.nowMs();
  }

  telemetry(): LakeStepsTelemetry {
    return { beganMs: this.#beganMs, newest: this.#newest };
  }

  seeCommit({ input, result, tookMs }: Committed): void {
    const commitTimeMs = Math.round(result.commitTimeUs / 1_000);
    this.#add({
      kind: "batch",
      nth: this.#next(),
      snapshotId: result.snapshotId,
      commitTimeMs,
      mode: input.mode,
      fromOffset: input.fromOffset,
      toOffset: input.toOffset,
      counts: countsOf(input),
      commitMs: tookMs,
      freshnessMs: Math.max(0, commitTimeMs - input.receivedMaxMs),
      upkeep: null,
    });
  }

  seeMaintenance({ result, tookMs }: Maintained): void {
    const { did, snapshotId, rows, files, bytes } = result;
    if (did === "seal" && snapshotId !== null) {
      const commitTimeMs = this.#clock.nowMs();
      const sizes = { rows, files, bytes };
      this.#add({ kind: "seal", nth: this.#next(), snapshotId, commitTimeMs, ...sizes, commitMs: tookMs });
    } else if (did !== "nothing" && did !== "seal") this.#noteUpkeep({ did, rows, files });
  }

  /** Beside the newest batch; before the first one nobody asks. */
  #noteUpkeep(upkeep: NonNullable<BatchStep["upkeep"]>): void {
    const at = this.#newest.findLastIndex(({ kind }) => kind === "batch");
    this.#newest = this.#newest.map((step, index) =>
      index === at && step.kind === "batch" ? { ...step, upkeep } : step,
    );
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }

  #add(step: LakeStep): void {
    this.#newest = [...this.#newest, step].slice(-MAX_TOLD_STEPS);
  }
}

type Input = Committed["input"];

function countsOf({ ledger, appends, upserts, amends }: Input): BatchCounts {
  const count = (hop: LedgerHop): number =>
    ledger.reduce((sum, entry) => (entry.hop === hop ? sum + entry.count : sum), 0);
  const gold = [...appends, ...upserts, ...amends]
    .filter(({ table }) => table.schema === "gold")
    .reduce((sum, { rowCount }) => sum + rowCount, 0);
  return {
    bronze: count("bronze"),
    late: count("late"),
    deadLetters: count("dead_letter"),
    duplicates: count("duplicate"),
    filtered: count("filtered"),
    gold,
  };
}
