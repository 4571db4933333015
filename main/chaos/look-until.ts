import { setTimeout } from "node:timers/promises";

/** What is looked for, how often, and when to give up. */
export type Look<T> = {
  readonly look: () => T | null | Promise<T | null>;
  readonly limitMs: number;
  readonly lookMs: number;
  /** True when looking on is pointless. */
  readonly isOver: () => boolean;
};

/** Looks until something is there; null when the time is over or looking has become pointless. Always looks once. */
export async function lookUntil<T>({ look, limitMs, lookMs, isOver }: Look<T>): Promise<T | null> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen !== null || isOver() || performance.now() >= endMs) return seen;
    await setTimeout(lookMs);
  }
}
