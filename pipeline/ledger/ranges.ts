/** Whole numbers `from`…`to`, both inclusive. */
export type OpenRange = { readonly from: number; readonly to: number };

/** The ranges without one number. */
export function takeOut(ranges: readonly OpenRange[], value: number): OpenRange[] {
  return ranges.flatMap((range) => {
    if (value < range.from || value > range.to) return [range];
    const pieces = [
      { from: range.from, to: value - 1 },
      { from: value + 1, to: range.to },
    ];
    return pieces.filter(({ from, to }) => from <= to);
  });
}

/** How many numbers the ranges hold. */
export function countOf(ranges: readonly OpenRange[]): number {
  return ranges.reduce((count, { from, to }) => count + to - from + 1, 0);
}
