import type { Clock } from "#storage/model/clock.ts";
import type { LakeReader } from "#storage/model/lake.ts";
import type { Gap, GapState, LedgerHop } from "#storage/model/ledger.ts";
import type { SourceName } from "#storage/model/brand.ts";
import { totalsByHop } from "../ledger/account.ts";
import { parseExtra } from "./batch-state.ts";
import type { Committed } from "./commit-queue.ts";
import { SourceFacts } from "./source-facts.ts";

/** Commits over which freshness percentiles are taken. */
const FRESHNESS_COMMITS = 200;
/** Rates are over the last 5 s of monotonic time (protocol/telemetry.ts). */
const RATE_WINDOW_MS = 5_000;

/** Cumulative figures of one source as of its last commit; every number can be recounted from the lake. */
export class PipelineFigures {
  readonly facts: SourceFacts;
  readonly #clock: Clock;
  readonly #ledger: Record<string, number>;
  /** Of holes that may still change; the detector bounds how many (ledger/gaps.ts). */
  readonly #openGaps = new Map<string, GapState>();
  readonly #gapCounts = new Map<GapState, number>();
  readonly #freshness: number[] = [];
  readonly #recent: {
    readonly atMs: number;
    readonly records: number;
    readonly ledger: Committed["input"]["ledger"];
  }[] = [];
  checkpoint: number;
  snapshotId: number;
  commitTimeMs: number | null = null;
  watermarkMs: number | null;

  constructor(reader: LakeReader, source: SourceName, clock: Clock) {
    this.#clock = clock;
    this.snapshotId = reader.latest();
    const state = reader.state(source);
    this.checkpoint = state?.checkpoint ?? 0;
    this.watermarkMs = toMs(state?.watermarkUs ?? null);
    const totals = totalsByHop(reader.ledger().filter((entry) => entry.source === source));
    this.#ledger = Object.fromEntries(Object.entries(totals).map(([hop, { count }]) => [hop, count]));
    const gaps = reader.gaps(source);
    this.facts = new SourceFacts(state?.extra ?? null, gaps);
    if (state !== null) this.#setExcluded(state.extra);
    for (const gap of gaps) this.#seeGap(gap);
  }

  see(committed: Committed): void {
    const { input, result } = committed;
    this.facts.see(input);
    this.checkpoint = input.toOffset;
    this.snapshotId = result.snapshotId;
    this.commitTimeMs = Math.round(result.commitTimeUs / 1_000);
    this.watermarkMs = toMs(input.state.watermarkUs);
    for (const { hop, count } of input.ledger) this.#ledger[hop] = (this.#ledger[hop] ?? 0) + count;
    this.#setExcluded(input.state.extra);
    for (const gap of input.gaps) this.#seeGap(gap);
    this.#freshness.push(Math.max(0, this.commitTimeMs - input.receivedMaxMs));
    if (this.#freshness.length > FRESHNESS_COMMITS) this.#freshness.shift();
    const records = input.toOffset - input.fromOffset + 1;
    this.#recent.push({ atMs: this.#clock.monotonicMs(), records, ledger: input.ledger });
    this.#forgetOld();
  }

  /** Counts by hop, and `excluded:<gold table>`: rows that came too late for a settled window. */
  get ledger(): Readonly<Record<string, number>> {
    return { ...this.#ledger };
  }

  /** Distinct records that are no canary: accepted ones and dead letters. */
  get committedEvents(): number {
    return this.#count("bronze") + this.#count("dead_letter");
  }

  get gaps(): readonly { readonly state: GapState; readonly count: number }[] {
    return [...this.#gapCounts].map(([state, count]) => ({ state, count })).filter(({ count }) => count > 0);
  }

  get freshnessMs(): number | null {
    return this.#freshness.at(-1) ?? null;
  }

  /** Freshness that `share` (0 to 1) of the last commits did not exceed. */
  freshnessAt(share: number): number | null {
    const sorted = this.#freshness.toSorted((left, right) => left - right);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
  }

  get recordsPerSecond(): number {
    this.#forgetOld();
    const records = this.#recent.reduce((sum, each) => sum + each.records, 0);
    return (records * 1_000) / RATE_WINDOW_MS;
  }

  /** Records a second by hop, over the same 5 s. */
  get hopRates(): Readonly<Record<string, number>> {
    this.#forgetOld();
    const counts: Record<string, number> = {};
    for (const { hop, count } of this.#recent.flatMap(({ ledger }) => ledger))
      counts[hop] = (counts[hop] ?? 0) + count;
    return Object.fromEntries(
      Object.entries(counts).map(([hop, count]) => [hop, (count * 1_000) / RATE_WINDOW_MS]),
    );
  }

  #seeGap(gap: Gap): void {
    // Not a hole in the source's numbering: a loss, which the facts list.
    if (gap.topic === "") return;
    const key = keyOf(gap);
    const before = this.#openGaps.get(key);
    if (before !== undefined) this.#gapCounts.set(before, (this.#gapCounts.get(before) ?? 0) - 1);
    this.#gapCounts.set(gap.state, (this.#gapCounts.get(gap.state) ?? 0) + 1);
    if (gap.state === "open" || gap.state === "asked") this.#openGaps.set(key, gap.state);
    else this.#openGaps.delete(key);
  }

  #count(hop: LedgerHop): number {
    return this.#ledger[hop] ?? 0;
  }

  #setExcluded(extra: string): void {
    for (const [table, rows] of Object.entries(parseExtra(extra).excluded)) {
      this.#ledger[`excluded:${table}`] = rows;
    }
  }

  #forgetOld(): void {
    const since = this.#clock.monotonicMs() - RATE_WINDOW_MS;
    while ((this.#recent[0]?.atMs ?? Number.POSITIVE_INFINITY) < since) this.#recent.shift();
  }
}

function toMs(us: number | null): number | null {
  return us === null ? null : Math.floor(us / 1_000);
}

function keyOf(gap: Gap): string {
  return `${gap.topic}/${gap.partition}/${gap.fromOffset}`;
}
