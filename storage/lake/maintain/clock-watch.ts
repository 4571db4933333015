/** Wall clock and monotonic clock drift apart by less than this unless somebody set the clock or the machine slept. */
const JUMP_MS = 60_000;
/** How long ladder and sweeps rest after a jump: the user may put the clock right, or a lease holder wake up and renew. */
const PAUSE_MS = 300_000;

/** Sees clock jumps, because ages of snapshots and files mean nothing right after one. */
export type ClockWatch = {
  /** True while whatever goes by age must rest. Call regularly with both clocks. */
  readonly isPaused: (nowMs: number, monotonicMs: number) => boolean;
};

/** A watch that starts with its first reading. */
export function createClockWatch(): ClockWatch {
  let difference: number | null = null;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return {
    isPaused: (nowMs, monotonicMs) => {
      const now = nowMs - monotonicMs;
      if (difference !== null && Math.abs(now - difference) > JUMP_MS) pausedUntil = monotonicMs + PAUSE_MS;
      difference = now;
      return monotonicMs < pausedUntil;
    },
  };
}
