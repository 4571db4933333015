import { formatCount } from "#renderer/components/format.ts";

/** Compares rows counted in the lake with the ledger of the same snapshot, in words. Green only where they are the same. */
export function compareWithLedger(
  counted: number,
  inLedger: number | undefined,
): { readonly text: string; readonly tone: "ok" | "bad" } {
  // A hop that has counted nothing has no entry.
  const expected = inLedger ?? 0;
  return counted === expected
    ? { text: "equals the ledger of this snapshot", tone: "ok" }
    : { text: `the ledger of this snapshot says ${formatCount(expected)}`, tone: "bad" };
}
