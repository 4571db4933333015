const INTEGER = /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/u;
const DECIMAL = /^DECIMAL\(\d+,\s?(\d+)\)$/u;
const NESTED = /^(?:STRUCT|MAP|UNION)\(|\[\d*\]$/u;

/** What a column's cells are to the eye and to order: each kind is compared in its own way. */
export type ColumnKind = "exact-number" | "float" | "time" | "interval" | "nested" | "json" | "text";

/** The kind of a DuckDB type, by the name that results carry. */
export function columnKind(type: string): ColumnKind {
  if (NESTED.test(type)) return "nested";
  if (INTEGER.test(type) || DECIMAL.test(type) || type === "BIGNUM") return "exact-number";
  if (type === "FLOAT" || type === "DOUBLE") return "float";
  if (type === "DATE" || type.startsWith("TIMESTAMP")) return "time";
  if (type === "INTERVAL") return "interval";
  return type === "JSON" ? "json" : "text";
}

/** Digits behind the point that every cell of the type has. */
export function decimalScale(type: string): number {
  return Number(DECIMAL.exec(type)?.[1] ?? 0);
}

/** A type's name as a head has room for it: DuckDB's own short names for its long ones. */
export function shortTypeName(type: string): string {
  return type
    .replaceAll("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ")
    .replaceAll("TIME WITH TIME ZONE", "TIMETZ");
}

/** True for DuckDB's names of number types: such columns are set flush right. */
export function isNumericType(type: string): boolean {
  const kind = columnKind(type);
  return kind === "exact-number" || kind === "float";
}
