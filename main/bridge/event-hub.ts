import type { AppStatus } from "#main/contract/app-status.ts";
import type { AppEvents, EventName } from "#main/contract/events.ts";
import type { Engine } from "../engine/engine-contract.ts";

/** A window as the hub sees it. */
export type HubTarget = {
  /** False while hidden or minimised: then nothing is sent, so that nothing is painted. */
  readonly isShown: () => boolean;
  readonly send: <E extends EventName>(event: E, payload: AppEvents[E]) => void;
};

/** One window's membership: `shown` when it comes back on screen, `leave` when it closes. */
export type HubMembership = { readonly shown: () => void; readonly leave: () => void };

/** Time and timers, so that tests need not wait. */
export type HubClock = {
  readonly nowMs: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
};

/** Four times a second, the most a person can read (architecture.md "Processes"). */
const SEND_INTERVAL_MS = 250;

const realClock: HubClock = {
  nowMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Hands the engine's status to windows: at most one every 250 ms and window, always the newest, never a queue.
 *
 *     idle ──status──▶ send, wait 250 ms ──status──▶ keep the newest ──time is up──▶ send it, wait again
 *
 * A window that is hidden gets nothing and, when shown again, the newest at once. Events that are rare by themselves go out
 * when they are told ({@link EventHub.tell}).
 */
export class EventHub {
  readonly #engine: Pick<Engine, "onStatus">;
  readonly #clock: HubClock;
  readonly #targets = new Set<HubTarget>();
  #newest: AppStatus | null = null;
  /** The newest of every other event, as what sends it. */
  readonly #told = new Map<EventName, (target: HubTarget) => void>();
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | null = null;
  readonly #unsubscribe: () => void;

  constructor(engine: Pick<Engine, "onStatus">, clock: HubClock = realClock) {
    this.#engine = engine;
    this.#clock = clock;
    this.#unsubscribe = this.#engine.onStatus((status) => this.#take(status));
  }

  /** Adds a window; it gets the newest status at once. */
  join(target: HubTarget): HubMembership {
    this.#targets.add(target);
    this.#sendTo(target);
    return { shown: () => this.#sendTo(target), leave: () => void this.#targets.delete(target) };
  }

  /** Sends one event to every window that is on screen; one that is hidden misses it and loses nothing. */
  tell<E extends Exclude<EventName, "status">>(event: E, payload: AppEvents[E]): void {
    for (const target of this.#targets) if (target.isShown()) target.send(event, payload);
  }

  /** Like {@link tell}, for a state that changes seldom: the newest is sent again to a window that is shown later. */
  tellState<E extends Exclude<EventName, "status">>(event: E, payload: AppEvents[E]): void {
    const send = (target: HubTarget): void => target.send(event, payload);
    this.#told.set(event, send);
    for (const target of this.#targets) if (target.isShown()) send(target);
  }

  /** Ends the subscription and the timer. Safe to call twice. */
  close(): void {
    this.#unsubscribe();
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#targets.clear();
  }

  #take(status: AppStatus): void {
    this.#newest = status;
    if (this.#cancelTimer !== null) return;
    const waitMs = this.#sentAtMs + SEND_INTERVAL_MS - this.#clock.nowMs();
    if (waitMs <= 0) this.#sendToAll();
    else this.#cancelTimer = this.#clock.after(waitMs, () => this.#sendToAll());
  }

  #sendToAll(): void {
    this.#cancelTimer = null;
    this.#sentAtMs = this.#clock.nowMs();
    for (const target of this.#targets) this.#sendStatus(target);
  }

  #sendTo(target: HubTarget): void {
    if (!target.isShown()) return;
    this.#sendStatus(target);
    for (const send of this.#told.values()) send(target);
  }

  #sendStatus(target: HubTarget): void {
    if (this.#newest !== null && target.isShown()) target.send("status", this.#newest);
  }
}
