import {
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
  type DuckDBType,
  type DuckDBValue,
} from "@duckdb/node-api";

/** A result's cell as it may cross processes: exact numbers beyond 2^53, decimals, times and nested values are text. */
export type ResultCell = string | number | boolean | null;

/**
 * A DuckDB value, exactly: integers as numbers while they are safe, else as digits; decimals with their zeros; instants
 * (TIMESTAMPTZ) as ISO text in UTC; naive times unchanged; lists and structs as DuckDB prints them; not-a-number as text.
 */
export function toResultCell(value: DuckDBValue, type: DuckDBType): ResultCell {
  if (value === null) return null;
  if (typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : nonFinite(value);
  if (typeof value === "bigint") {
    const isSafe = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
    return isSafe ? Number(value) : String(value);
  }
  if (type.typeId === DuckDBTypeId.TIMESTAMP_TZ && value instanceof DuckDBTimestampTZValue)
    return isoInstant(value);
  return value.toString();
}

/** The type's name as DuckDB's DESCRIBE shows it; an alias (JSON) before what it stands for. */
export function typeName(type: DuckDBType): string {
  return type.alias ?? type.toString();
}

function nonFinite(value: number): string {
  if (Number.isNaN(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

function isoInstant(value: DuckDBTimestampTZValue): string {
  if (!value.isFinite) return new DuckDBTimestampValue(value.micros).toString();
  const text = new DuckDBTimestampValue(value.micros).toString();
  return text.endsWith("(BC)") ? `${text} UTC` : `${text.replace(" ", "T")}Z`;
}
