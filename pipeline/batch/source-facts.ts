import type { CommitInput } from "#storage/model/lake.ts";
import type { Gap } from "#storage/model/ledger.ts";
import type { ResultSettings } from "#storage/model/settings.ts";
import {
  type HoleTelemetry,
  type LossTelemetry,
  MAX_TOLD,
  type SettingsTelemetry,
  type SourceFactsTelemetry,
} from "../protocol/telemetry.ts";
import { RULES } from "../validate/rules/registry.ts";
import { type ExtraState, parseExtra } from "./batch-state.ts";

/** Hops of records that the source sent because something happened, not to show that it lives. */
const EDIT_HOPS: readonly string[] = ["bronze", "dead_letter", "duplicate", "repeat"];

/** What a screen says of one source besides its counts, as of the last commit. Read from commits alone, never by a query. */
export class SourceFacts {
  #settings: SettingsTelemetry | null = null;
  #holes: readonly HoleTelemetry[] = [];
  #lastEditMs: number | null = null;
  #filteredSinceEdit = 0;
  /** By first offset; the pipeline lists 100 at most (ledger/lost-ranges.ts). */
  readonly #losses = new Map<number, LossTelemetry>();

  /** `extra` and `gaps` as the lake holds them at the start; null for a source that is new. */
  constructor(extra: string | null, gaps: readonly Gap[]) {
    if (extra !== null) this.#take(parseExtra(extra));
    for (const gap of gaps) this.#seeGap(gap);
  }

  see({ state, gaps, ledger, receivedMaxMs }: CommitInput): void {
    this.#take(parseExtra(state.extra));
    for (const gap of gaps) this.#seeGap(gap);
    const countOf = (hops: readonly string[]): number =>
      ledger.reduce((sum, { hop, count }) => (hops.includes(hop) ? sum + count : sum), 0);
    if (countOf(EDIT_HOPS) > 0) {
      this.#lastEditMs = receivedMaxMs;
      this.#filteredSinceEdit = 0;
    } else this.#filteredSinceEdit += countOf(["filtered"]);
  }

  telemetry(): SourceFactsTelemetry {
    const losses = [...this.#losses.values()].toSorted((left, right) => left.changedAt - right.changedAt);
    return {
      settings: this.#settings,
      lastEditMs: this.#lastEditMs,
      filteredSinceEdit: this.#filteredSinceEdit,
      activeHoles: { count: this.#holes.length, newest: this.#holes.slice(-MAX_TOLD) },
      losses: { count: losses.length, newest: losses.slice(-MAX_TOLD) },
    };
  }

  #take({ settings, settingsSince, gaps }: ExtraState): void {
    this.#settings =
      settings === null
        ? null
        : { sinceOffset: settingsSince, inForce: settings, rulesStillOn: rulesStillOn(settings) };
    this.#holes = gaps.followed
      .filter(({ isIdle, state }) => !isIdle && (state === "open" || state === "asked"))
      .map(({ topic, fromOffset, toOffset, state }) => ({ topic, fromOffset, toOffset, state }));
  }

  #seeGap({ topic, fromOffset, toOffset, reason, changedAt }: Gap): void {
    if (topic !== "") return;
    this.#losses.set(fromOffset, { fromOffset, toOffset, reason, changedAt });
  }
}

function rulesStillOn({ disabledRules }: ResultSettings): readonly string[] {
  return disabledRules.filter((id) => !RULES.some((rule) => rule.id === id && rule.canBeDisabled));
}
