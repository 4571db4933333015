import type { Clock } from "#storage/model/clock.ts";
import type { FeedProgress } from "../../protocol/feed-progress.ts";
import type { FeedPlan } from "../generate/feed-plan.ts";
import { eventsBeforePosition, positionCount, positionOfEvent } from "../generate/positions.ts";

/** Lumps of the fault `burst`. */
const LUMP_MS = 5000;

/**
 * Says how much exists. Begins with the first client, then follows the clock and waits for nobody; with rate 0 as much exists as
 * clients take, but nothing before its event time where the feed has no end. Holds two numbers: events are made on demand.
 */
export class Producer {
  readonly #plan: FeedPlan;
  readonly #rate: number;
  readonly #canaryIntervalMs: number;
  readonly #clock: Clock;
  #beganAt: number | null = null;
  #endedAt: number | null = null;
  #frontier = 0;

  constructor(
    plan: FeedPlan,
    options: {
      rate: number;
      canaryIntervalMs: number;
      clock: Clock;
      goOn: Pick<FeedProgress, "beganMs" | "frontier"> | null;
    },
  ) {
    const { rate, canaryIntervalMs, clock, goOn } = options;
    this.#plan = plan;
    this.#rate = rate;
    this.#canaryIntervalMs = canaryIntervalMs;
    this.#clock = clock;
    if (goOn === null) return;
    this.#frontier = goOn.frontier;
    // Production waited for nobody, not for the feed that was killed either.
    if (goOn.beganMs !== null)
      this.#beganAt = clock.monotonicMs() - Math.max(0, clock.nowMs() - goOn.beganMs);
  }

  begin(): void {
    this.#beganAt ??= this.#clock.monotonicMs();
  }

  /** When the first client came, by the wall clock; null before. */
  get beganMs(): number | null {
    if (this.#beganAt === null) return null;
    return Math.round(this.#clock.nowMs() - (this.#clock.monotonicMs() - this.#beganAt));
  }

  /** Notes that `position` was served to somebody. */
  advanceFrontier(position: number): void {
    this.#frontier = Math.max(this.#frontier, position + 1);
  }

  /** Positions that were served to anybody. */
  get frontier(): number {
    return this.#frontier;
  }

  /** Positions that may be served now. */
  available(): number {
    if (this.#beganAt === null) return 0;
    const events = this.#rate === 0 ? this.#eventsOfMax() : this.#eventsOfRate(this.#beganAt);
    const all = positionCount(this.#plan);
    if (events < this.#plan.events) return events === 0 ? 0 : positionOfEvent(this.#plan, events - 1) + 1;
    return all + this.#idleCanaries(all);
  }

  /** The live end: where a client without a position begins, and where history ends. */
  liveEnd(): number {
    return this.#rate === 0 ? this.#frontier : this.available();
  }

  /** Distinct events that exist. */
  producedEvents(): number {
    return Math.min(this.#plan.events, eventsBeforePosition(this.#plan, this.liveEnd()));
  }

  #eventsOfRate(beganAt: number): number {
    const elapsed = this.#clock.monotonicMs() - beganAt;
    const counted = this.#plan.faults.has("burst") ? Math.floor(elapsed / LUMP_MS) * LUMP_MS : elapsed;
    const events = Math.floor((counted * this.#rate) / 1000) + (this.#plan.faults.has("burst") ? 0 : 1);
    return Math.min(events, this.#plan.events);
  }

  #eventsOfMax(): number {
    if (Number.isFinite(this.#plan.events)) return this.#plan.events;
    return Math.max(
      0,
      Math.floor(((this.#clock.nowMs() - this.#plan.startMs) * this.#plan.eventRate) / 1000),
    );
  }

  /** Behind the last event the stream stays open and only canaries come, by the wall clock. */
  #idleCanaries(all: number): number {
    if (this.#rate === 0 && this.#frontier < all) return 0;
    this.#endedAt ??= this.#clock.monotonicMs();
    return Math.floor((this.#clock.monotonicMs() - this.#endedAt) / this.#canaryIntervalMs);
  }
}
