/** Restarts without any progress (a commit or an append) before the supervisor gives up. */
export const RESTART_BUDGET = 6;
/** Pause before the second restart without progress; doubled each time, since a missing file would crash-loop at full speed. */
export const RESTART_DELAY_MIN_MS = 200;
/** Longest pause between two restarts. */
export const RESTART_DELAY_MAX_MS = 10_000;

/** What the supervisor does about a worker that ended. */
export type RestartDecision =
  | { readonly kind: "restart"; readonly afterMs: number; readonly withoutProgress: number }
  | { readonly kind: "give-up" };

/**
 * Decides from the number of restarts since the last progress. The first one has no delay; a kill that chaos or the user
 * ordered is not counted.
 */
export function nextRestart(withoutProgress: number, wasOrdered: boolean): RestartDecision {
  if (wasOrdered) return { kind: "restart", afterMs: 0, withoutProgress };
  if (withoutProgress >= RESTART_BUDGET) return { kind: "give-up" };
  const afterMs =
    withoutProgress === 0
      ? 0
      : Math.min(RESTART_DELAY_MAX_MS, RESTART_DELAY_MIN_MS * 2 ** (withoutProgress - 1));
  return { kind: "restart", afterMs, withoutProgress: withoutProgress + 1 };
}
