/** What a figure has to reach (the ratios of the performance notes). `factor` figures are plain ratios such as 1.2. */
export type Limit = {
  readonly kind: "at-least" | "at-most";
  readonly value: number;
  readonly unit: "percent" | "factor" | "ms" | "megabytes";
};

/** One figure that was measured. `baseline` says in words what it was compared with, in the same run. */
export type Reached = {
  readonly value: number;
  readonly baseline: string;
  /** How this run differs from the full measurement, and what else a reader must know. */
  readonly note?: string;
};

/** One row of the table. A figure that this run cannot measure has a reason instead of a number. */
export type Row = {
  readonly figure: string;
  readonly limit: Limit;
  readonly outcome:
    | ({ readonly kind: "measured" } & Reached)
    | { readonly kind: "not-measured"; readonly reason: string }
    | { readonly kind: "failed"; readonly error: string };
};

/** At this many times its limit a figure is not short but broken, and the run fails. */
export const BROKEN_FACTOR = 3;

/** How far a value is from its limit: 1 or less is within, 2 is half of what is asked (or twice what is allowed). */
export function shortfall(limit: Limit, value: number): number {
  if (limit.kind === "at-most") return value / limit.value;
  return value <= 0 ? Number.POSITIVE_INFINITY : limit.value / value;
}

/** ok, short, broken (beyond {@link BROKEN_FACTOR}), failed (no number came), or not measured. */
export type Verdict = "ok" | "short" | "broken" | "failed" | "not measured";

/** The verdict over one row. */
export function verdictOf({ limit, outcome }: Row): Verdict {
  if (outcome.kind === "failed") return "failed";
  if (outcome.kind === "not-measured") return "not measured";
  const factor = shortfall(limit, outcome.value);
  if (Number.isNaN(factor) || factor > BROKEN_FACTOR) return "broken";
  return factor > 1 ? "short" : "ok";
}

/** True where the run has to end with a failure: a figure is broken or could not be measured at all. */
export function isFailure(rows: readonly Row[]): boolean {
  return rows.some((row) => ["broken", "failed"].includes(verdictOf(row)));
}
