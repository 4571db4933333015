import type { WireCell } from "#pipeline/protocol/query-messages.ts";
import { columnKind, decimalScale } from "./column-types.ts";

/** What a cell is ordered by; null comes last in both directions. */
export type SortKey = bigint | number | string | boolean | readonly [number, string] | null;

const DIGITS = /^([+-]?)(\d+)(?:\.(\d*))?$/u;

/** A decimal text as an integer of 10^-scale; null where it is no number. Digits behind the scale are an error of the caller. */
export function toScaled(text: string, scale: number): bigint | null {
  const [, sign, whole = "", fraction = ""] = DIGITS.exec(text.trim()) ?? [];
  if (sign === undefined || fraction.length > scale) return null;
  const value = BigInt(whole + fraction.padEnd(scale, "0"));
  return sign === "-" ? -value : value;
}

/** Year and rest of a time as DuckDB prints it: years before Christ and beyond 9999 are no texts to be compared. */
function timeKey(text: string): readonly [number, string] {
  if (text === "infinity") return [Number.POSITIVE_INFINITY, ""];
  if (text === "-infinity") return [Number.NEGATIVE_INFINITY, ""];
  const [, year = "0", rest = text] = /^(\d+)(-.*)$/u.exec(text) ?? [];
  // 1 BC is the year 0.
  const isBefore = rest.includes("(BC)");
  return [isBefore ? 1 - Number(year) : Number(year), rest.replace(/ ?\(BC\).*$|Z$/u, "")];
}

/** Not-a-number is greater than infinity, as DuckDB has it. */
function floatKey(cell: string | number): readonly [number, string] {
  if (typeof cell === "number") return [cell, ""];
  if (cell === "nan") return [Number.POSITIVE_INFINITY, "nan"];
  return [cell.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY, ""];
}

/** How cells of a type are ordered. Integers and decimals by all of their digits. */
export function sortKeyOf(type: string): (cell: WireCell) => SortKey {
  const scale = decimalScale(type);
  switch (columnKind(type)) {
    case "exact-number":
      return (cell) => (cell === null ? null : toScaled(String(cell), scale));
    case "float":
      return (cell) => (typeof cell === "string" || typeof cell === "number" ? floatKey(cell) : null);
    case "time":
      return (cell) => (cell === null ? null : timeKey(String(cell)));
    case "interval":
    case "nested":
    case "json":
    case "text":
      return (cell) => (typeof cell === "number" ? String(cell) : cell);
  }
}

/** True where the text of cells does not say their order: a statement can (ORDER BY). */
export function isSortable(type: string): boolean {
  const kind = columnKind(type);
  return kind !== "interval" && kind !== "nested";
}

/** Compares two keys of one column that are not null. */
export function compareKeys(left: Exclude<SortKey, null>, right: Exclude<SortKey, null>): number {
  if (typeof left === "object" && typeof right === "object")
    return compareKeys(left[0], right[0]) || compareKeys(left[1], right[1]);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Places of `cells` in order; equal ones keep theirs, nulls are last both ways. */
export function orderOf(
  cells: readonly WireCell[],
  type: string,
  direction: "ascending" | "descending",
): readonly number[] {
  const keyOf = sortKeyOf(type);
  const keys = cells.map(keyOf);
  const sign = direction === "ascending" ? 1 : -1;
  return [...keys.keys()].toSorted((left, right) => {
    const [a, b] = [keys[left] ?? null, keys[right] ?? null];
    if (a === null || b === null) return Number(a === null) - Number(b === null) || left - right;
    return sign * compareKeys(a, b) || left - right;
  });
}
