import type { ResultColumn, WireCell } from "#pipeline/protocol/query-messages.ts";
import { columnKind, decimalScale, isNumericType } from "./column-types.ts";
import { compareKeys, sortKeyOf, toScaled, type SortKey } from "./order-cells.ts";

/** Whether a row is wanted. */
export type RowTest = (row: readonly WireCell[]) => boolean;

const COMPARISON = /^\s*(?:"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_.]*))?\s*(>=|<=|<>|!=|=|>|<)\s*(.+?)\s*$/u;

type Operator = ">" | "<" | ">=" | "<=" | "=" | "!=";

const HOLDS: Readonly<Record<Operator, (order: number) => boolean>> = {
  ">": (order) => order > 0,
  "<": (order) => order < 0,
  ">=": (order) => order >= 0,
  "<=": (order) => order <= 0,
  "=": (order) => order === 0,
  "!=": (order) => order !== 0,
};

function toOperator(text: string): Operator {
  switch (text) {
    case ">":
    case "<":
    case ">=":
    case "<=":
    case "=":
      return text;
    default:
      return "!=";
  }
}

/**
 * What a filter's text means: `> 100` a comparison with any number column, `n >= 5` with that column, anything else words that
 * must occur somewhere in the row, whatever their case. Null where it wants nothing.
 */
export function parseFilter(text: string, columns: readonly ResultColumn[]): RowTest | null {
  if (text.trim() === "") return null;
  const [, quoted, plain, operator, value = ""] = COMPARISON.exec(text) ?? [];
  if (operator === undefined) return wordTest(text);
  const name = quoted?.replaceAll('""', '"') ?? plain;
  const compared = columns.flatMap((column, at) => {
    const isMeant =
      name === undefined ? isNumericType(column.type) : column.name.toLowerCase() === name.toLowerCase();
    const test = isMeant ? cellTest(column.type, toOperator(operator), value) : null;
    return test === null ? [] : [{ at, test }];
  });
  // No such column: then it is a text like any other.
  if (compared.length === 0) return wordTest(text);
  return (row) => compared.some(({ at, test }) => test(row[at] ?? null));
}

function wordTest(text: string): RowTest {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  return (row) => {
    const line = lineOf(row);
    return words.every((word) => line.includes(word));
  };
}

/** Rows never change, and one is searched at every key: 10,000 of them in small letters take 150 ms. */
const lines = new WeakMap<readonly WireCell[], string>();

function lineOf(row: readonly WireCell[]): string {
  const known = lines.get(row);
  if (known !== undefined) return known;
  const line = row
    .map((cell) => (cell === null ? "" : String(cell)))
    .join("\n")
    .toLowerCase();
  lines.set(row, line);
  return line;
}

function cellTest(type: string, operator: Operator, value: string): ((cell: WireCell) => boolean) | null {
  if (/^null$/iu.test(value)) return (cell) => (cell === null) === (operator === "=");
  const asked = unquoted(value);
  const kind = columnKind(type);
  if (kind === "exact-number") return exactTest(type, operator, asked);
  const keyOf = sortKeyOf(type);
  const key: SortKey = kind === "float" ? [Number(asked), ""] : keyOf(asked);
  if (key === null || (kind === "float" && Number.isNaN(Number(asked)))) return null;
  const holds = HOLDS[operator];
  // A boolean is compared by its word.
  return (cell) => {
    const own = typeof cell === "boolean" ? String(cell) : keyOf(cell);
    return own !== null && holds(compareKeys(own, key));
  };
}

/** By digits, of both: 9007199254740993 is greater than 9007199254740992. */
function exactTest(type: string, operator: Operator, asked: string): ((cell: WireCell) => boolean) | null {
  const scale = Math.max(decimalScale(type), asked.split(".")[1]?.length ?? 0);
  const key = toScaled(asked.replaceAll(",", ""), scale);
  if (key === null) return null;
  const holds = HOLDS[operator];
  return (cell) => {
    const own = cell === null ? null : toScaled(String(cell), scale);
    return own !== null && holds(compareKeys(own, key));
  };
}

function unquoted(value: string): string {
  const [, inner] = /^'((?:[^']|'')*)'$/u.exec(value) ?? [];
  return inner?.replaceAll("''", "'") ?? value;
}
