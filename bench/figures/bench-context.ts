import type { CorpusFacts } from "../corpus/corpus-file.ts";
import type { BaselineSpeeds } from "../measure/contract.ts";
import type { BenchPlan } from "../run/bench-plan.ts";
import type { Limit, Reached, Row } from "../table/figure.ts";

/** What all figures of a run share. */
export type BenchContext = {
  readonly plan: BenchPlan;
  /** Folder of this run; each figure makes its own data folders inside, and all goes at the end. */
  readonly root: string;
  readonly corpusPath: string;
  readonly corpus: CorpusFacts;
  readonly baseline: BaselineSpeeds;
  /** Lines to print below the table. */
  readonly remarks: string[];
};

/** A group of figures that one measurement gives. */
export type FigureGroup = {
  readonly name: string;
  /** Figure and limit of each row, so that a failed measurement still shows all its rows. */
  readonly rows: Readonly<Record<string, { readonly figure: string; readonly limit: Limit }>>;
  readonly measure: (
    context: BenchContext,
  ) => Promise<Readonly<Record<string, Reached | { readonly reason: string }>>>;
};

/** The rows of a group; a measurement that throws gives rows that say so. */
export async function rowsOf(group: FigureGroup, context: BenchContext): Promise<readonly Row[]> {
  try {
    const reached = await group.measure(context);
    return Object.entries(group.rows).map(([key, row]): Row => {
      const value = reached[key];
      if (value === undefined) return { ...row, outcome: { kind: "failed", error: "no value came" } };
      return "reason" in value
        ? { ...row, outcome: { kind: "not-measured", reason: value.reason } }
        : { ...row, outcome: { kind: "measured", ...value } };
    });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return Object.values(group.rows).map((row) => ({ ...row, outcome: { kind: "failed", error: text } }));
  }
}

/** What a quick run says instead of a number it cannot have. */
export const FULL_ONLY = { reason: "full only" } as const;

/** What other systems say where the kernel tells nothing about other processes. */
export const NO_PROC = { reason: "needs Linux (/proc)" } as const;

/** Thousands, for notes: 150,000 → "150 k", 10,000,000 → "10 M". */
export function countText(count: number): string {
  return count >= 1_000_000
    ? `${Number((count / 1_000_000).toFixed(1))} M`
    : `${Math.round(count / 1_000)} k`;
}
