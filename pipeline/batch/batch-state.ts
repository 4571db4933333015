import { NO_OFFSET, type Offset, offsetAfter, type SourceName, toOffset } from "#storage/model/brand.ts";
import type { SourceState } from "#storage/model/lake.ts";
import type { ResultSettings } from "#storage/model/settings.ts";
import { Dedup } from "../dedup/dedup.ts";
import { OpenWindows } from "../gold/open-windows.ts";
import { GOLD_TABLES } from "../gold/tables/registry.ts";
import { GapDetector, type GapMemory, NO_GAP_MEMORY } from "../ledger/gaps.ts";
import { type LostMemory, LostRanges, NO_LOST_MEMORY } from "../ledger/lost-ranges.ts";
import { type ClockMemory, ClockWatch, NO_CLOCK_MEMORY } from "./clock-watch.ts";
import { SettingsHistory } from "./settings-history.ts";
import { Watermark } from "./watermark.ts";

/** Everything that decides over the next record of one source; a function of its log up to `checkpoint`. */
export type BatchState = {
  readonly source: SourceName;
  checkpoint: Offset;
  sourceCursor: string | null;
  readonly watermark: Watermark;
  readonly settings: SettingsHistory;
  readonly dedup: Dedup;
  readonly gold: OpenWindows;
  readonly gaps: GapDetector;
  readonly lost: LostRanges;
  readonly clock: ClockWatch;
  /** Rows that settled windows excluded since the log began, by gold table. */
  readonly excluded: Record<string, number>;
};

/** What `SourceState.extra` holds: where state is to be read back from, and what no table says. */
export type ExtraState = {
  readonly firstLetterOffset: number | null;
  readonly firstGoldOffset: number | null;
  readonly gaps: GapMemory;
  readonly lost: LostMemory;
  readonly clock: ClockMemory;
  readonly excluded: Readonly<Record<string, number>>;
  /** Settings in force at the checkpoint, for ingest when the log is lost (storage/lake/read/read-lake-memory.ts). */
  readonly settings: ResultSettings | null;
  /** Offset at which they took effect; null where none was ever put in force, or an older build wrote this. */
  readonly settingsSince: number | null;
};

const NO_EXTRA: ExtraState = {
  firstLetterOffset: null,
  firstGoldOffset: null,
  gaps: NO_GAP_MEMORY,
  lost: NO_LOST_MEMORY,
  clock: NO_CLOCK_MEMORY,
  excluded: {},
  settings: null,
  settingsSince: null,
};

/** State at the stored checkpoint, still without what must be read back from the tables (load-state.ts). */
export function createBatchState(source: SourceName, stored: SourceState | null): BatchState {
  const extra = stored === null ? NO_EXTRA : parseExtra(stored.extra);
  return {
    source,
    checkpoint: stored?.checkpoint ?? NO_OFFSET,
    sourceCursor: stored?.sourceCursor ?? null,
    watermark: new Watermark(stored?.watermarkUs ?? null, stored?.maxEventTimeUs ?? null),
    settings: new SettingsHistory(),
    dedup: new Dedup(),
    gold: new OpenWindows(source, GOLD_TABLES),
    gaps: new GapDetector(source, extra.gaps),
    lost: new LostRanges(source, extra.lost),
    clock: new ClockWatch(extra.clock),
    excluded: { ...extra.excluded },
  };
}

/** The form in which the lake keeps the state. */
export function toSourceState(state: BatchState): SourceState {
  const extra: ExtraState = {
    firstLetterOffset: state.dedup.firstLetterOffset(),
    firstGoldOffset: state.gold.firstOffset(),
    gaps: state.gaps.memory(),
    lost: state.lost.memory(),
    clock: state.clock.memory(),
    excluded: state.excluded,
    settings: state.settings.inForce,
    settingsSince: state.settings.since,
  };
  return {
    source: state.source,
    checkpoint: state.checkpoint,
    watermarkUs: state.watermark.us,
    maxEventTimeUs: state.watermark.maxEventTimeUs,
    horizonOffset: toOffset(state.dedup.firstIdOffset() ?? offsetAfter(state.checkpoint)),
    sourceCursor: state.sourceCursor,
    extra: JSON.stringify(extra),
  };
}

/** Reads what {@link toSourceState} wrote; a field that an older build did not write is empty. */
export function parseExtra(text: string): ExtraState {
  return { ...NO_EXTRA, ...(JSON.parse(text) as Partial<ExtraState>) };
}
