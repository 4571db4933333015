/** Time as an argument: production code takes a clock, tests hand in their own. */
export type Clock = {
  /** Wall clock, milliseconds since 1970 UTC. May jump either way. */
  readonly nowMs: () => number;
  /** Monotonic milliseconds from an arbitrary start; for durations and time-outs only. */
  readonly monotonicMs: () => number;
};

/** The machine's clocks. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
