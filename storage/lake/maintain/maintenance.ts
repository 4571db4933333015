import { setImmediate } from "node:timers/promises";
import { readLeases } from "../../files/lease.ts";
import type { Offset, SourceName } from "../../model/brand.ts";
import type { MaintenanceResult } from "../../model/lake.ts";
import type { CatalogSession } from "../catalog/catalog-session.ts";
import { sealableRows } from "../catalog/counters.ts";
import { toLakeError } from "../catalog/sqlite-errors.ts";
import type { FileRows } from "../commit/file-rows.ts";
import { CarriedSeals } from "./carried-seals.ts";
import { createClockWatch } from "./clock-watch.ts";
import { isWorthAnEarlySeal, startEarlySeal, type EarlySeal } from "./early-seal.ts";
import { discardParts } from "./seal-parts.ts";
import { expireSnapshots, MAX_EXPIRED_PER_STEP } from "./expire.ts";
import { pruneStep } from "./prune.ts";
import { isSealDue, sealLake } from "./seal.ts";
import { sweepOrphans, sweepReleased } from "./sweep.ts";
import { tendCatalogFiles } from "./wal.ts";

/** How often the ladder is looked at; the rungs are minutes wide. */
const LADDER_EACH_MS = 5_000;
/**
 * Transactions of pruning in one step, about 10 ms each. While catching up there is one step a batch, and a batch ends more
 * rows (3,000 of windows that settle, and 85,000 at a seal) than one of them deletes.
 */
const PRUNES_PER_STEP = 4;
/** How often released files are looked at. */
const SWEEP_EACH_MS = 30_000;
/** How often the folder is listed for orphans. */
const ORPHANS_EACH_MS = 600_000;
/** An orphan younger than this may still be on its way into the catalog. */
const ORPHAN_MIN_AGE_MS = 60_000;

/** Sealable rows, in units of `sealRows`, at which commits have to wait for a seal that is under way: hot rows stay bounded. */
const MAX_HOT_SEALS = 3;

const NOTHING: MaintenanceResult = { did: "nothing", snapshotId: null, rows: 0, files: 0, bytes: 0 };

/** What maintenance needs. `pendingFiles`: names of durable files whose commit is still to come. */
export type MaintenanceOptions = {
  readonly session: CatalogSession;
  readonly fileRows: FileRows;
  /** A second reader of files, for a seal that goes on beside the steps. */
  readonly earlyFileRows: FileRows;
  readonly leases: string;
  readonly pendingFiles: ReadonlySet<string>;
};

/** Seal, ladder, pruning and sweeps, one bounded step a call, in this order of urgency. */
export class Maintenance {
  readonly #options: MaintenanceOptions;
  readonly #watch = createClockWatch();
  readonly #carriedSeals: CarriedSeals;
  #ladderAtMs = Number.NEGATIVE_INFINITY;
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  #orphansAtMs = Number.NEGATIVE_INFINITY;
  #early: EarlySeal | null = null;
  /** Also true at start: a kill may have come between expiry and pruning. */
  #pruneDue = true;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
    this.#carriedSeals = new CarriedSeals(options.session);
  }

  /** Seals now, whatever is due. */
  async seal(): Promise<MaintenanceResult> {
    const { session, fileRows, earlyFileRows } = this.#options;
    const early = this.#early;
    this.#early = null;
    const sealed =
      early === null
        ? await sealLake(session, fileRows)
        : await sealLake(session, earlyFileRows, await early.parts());
    this.#carriedSeals.carry();
    return sealed ?? NOTHING;
  }

  /** Last offset of the source that a kept seal point holds in Parquet for good; see {@link CarriedSeals}. */
  sealedOffset(source: SourceName): Offset {
    return this.#carriedSeals.offset(source);
  }

  /** Waits for what goes on beside the steps and gives it up. */
  async close(): Promise<void> {
    const early = this.#early;
    this.#early = null;
    // Its failure harms nothing any more: it names no file.
    await discardParts((await early?.parts().catch(() => [])) ?? []);
    await this.#options.earlyFileRows.close();
  }

  /** Does the most urgent thing that is due. Errors as of that thing; nothing is half done. */
  async step(nowMs: number): Promise<MaintenanceResult> {
    try {
      return await this.#step(nowMs);
    } catch (error) {
      throw toLakeError(error, "maintaining the lake");
    }
  }

  async #step(nowMs: number): Promise<MaintenanceResult> {
    const { session } = this.#options;
    const paused = this.#watch.isPaused(nowMs, session.options.clock.monotonicMs());
    const sealed = await this.#sealStep(nowMs);
    if (sealed !== null) return sealed;
    const did = paused ? null : (this.#expire(nowMs) ?? this.#prune(nowMs) ?? (await this.#sweep(nowMs)));
    if (did !== null) return did;
    this.#carriedSeals.carry();
    tendCatalogFiles(session.database, session.options.catalogPath);
    return NOTHING;
  }

  /** A large seal begins beside the commits and is finished by a later step; null while there is nothing to finish. */
  async #sealStep(nowMs: number): Promise<MaintenanceResult | null> {
    const { session } = this.#options;
    if (this.#early !== null) {
      // One turn of the event loop, or a caller that never waits for anything would starve it.
      await setImmediate();
      const rows = sealableRows(session.counters.tables.values());
      const isLate = rows >= MAX_HOT_SEALS * session.options.settings.sealRows;
      return this.#early.isDone() || isLate ? this.seal() : null;
    }
    if (!isSealDue(session, nowMs)) return null;
    if (!isWorthAnEarlySeal(session)) return this.seal();
    this.#early = startEarlySeal(session, this.#options.earlyFileRows);
    return null;
  }

  #expire(nowMs: number): MaintenanceResult | null {
    const { session } = this.#options;
    const eachMs = Math.min(LADDER_EACH_MS, session.options.settings.keepAllMs / 10);
    if (!isDue(this.#ladderAtMs, nowMs, eachMs)) return null;
    const rows = expireSnapshots(session, nowMs, this.#leased(nowMs));
    // While each batch pushes the oldest snapshot out, a ladder that were due until it finds nothing would leave pruning no step.
    if (rows < MAX_EXPIRED_PER_STEP) this.#ladderAtMs = nowMs;
    if (rows === 0) return null;
    this.#pruneDue = true;
    return { ...NOTHING, did: "expire", rows };
  }

  #prune(nowMs: number): MaintenanceResult | null {
    if (!this.#pruneDue) return null;
    const total = { rows: 0, files: 0, bytes: 0 };
    for (let count = 0; count < PRUNES_PER_STEP && this.#pruneDue; count += 1) {
      const { rows, files, bytes, more } = pruneStep(this.#options.session, nowMs);
      total.rows += rows;
      total.files += files;
      total.bytes += bytes;
      this.#pruneDue = more;
    }
    return total.rows + total.files > 0 ? { ...NOTHING, did: "prune", ...total } : null;
  }

  async #sweep(nowMs: number): Promise<MaintenanceResult | null> {
    const { session, pendingFiles } = this.#options;
    const { unlinkDelayMs } = session.options.settings;
    if (isDue(this.#sweptAtMs, nowMs, Math.min(SWEEP_EACH_MS, unlinkDelayMs))) {
      const released = await sweepReleased(session, nowMs, this.#leased(nowMs));
      if (released.files > 0) return { ...NOTHING, did: "sweep", ...released };
      this.#sweptAtMs = nowMs;
    }
    // The files of a seal that goes on beside the steps are named by nobody yet.
    if (this.#early === null && isDue(this.#orphansAtMs, nowMs, ORPHANS_EACH_MS)) {
      const minAgeMs = Math.max(ORPHAN_MIN_AGE_MS, unlinkDelayMs);
      const orphans = await sweepOrphans(session, nowMs, minAgeMs, pendingFiles);
      if (orphans.files > 0) return { ...NOTHING, did: "sweep", ...orphans };
      this.#orphansAtMs = nowMs;
    }
    return null;
  }

  #leased(nowMs: number): readonly number[] {
    return readLeases(this.#options.leases, nowMs).flatMap((lease) => lease.snapshots);
  }
}

/** Also after the clock stepped back, or the next time would be far away. */
function isDue(lastMs: number, nowMs: number, eachMs: number): boolean {
  return nowMs < lastMs || nowMs - lastMs >= eachMs;
}
