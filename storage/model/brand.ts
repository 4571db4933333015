declare const brand: unique symbol;

/** A nominal type: `Brand<number, "Offset">` is a number that no other number can stand in for. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Dense position in one source's log. The first record has offset 1; 0 ({@link NO_OFFSET}) is "before the first". */
export type Offset = Brand<number, "Offset">;

/** Identifier of one DuckLake snapshot, 0 for the empty catalog. */
export type SnapshotId = Brand<number, "SnapshotId">;

/** Name of a source: folder-safe, lower case, 1 to 64 characters of `[a-z0-9-]`. */
export type SourceName = Brand<string, "SourceName">;

/** Checkpoint of an empty lake, head of an empty log. */
export const NO_OFFSET = 0 as Offset;

/** Brands a number as an offset. Throws a RangeError unless it is a whole number of at least 0. */
export function toOffset(value: number): Offset {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not an offset: ${value}`);
  return value as Offset;
}

/** The offset `count` records behind `offset`. */
export function offsetAfter(offset: Offset, count = 1): Offset {
  return toOffset(offset + count);
}

/** Brands a number as a snapshot id. Throws a RangeError unless it is a whole number of at least 0. */
export function toSnapshotId(value: number): SnapshotId {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a snapshot id: ${value}`);
  return value as SnapshotId;
}

const SOURCE_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** True where `value` can name a source (and its folder on every platform). */
export function isSourceName(value: string): value is SourceName {
  return SOURCE_NAME.test(value);
}

/** Brands a string as a source name. Throws a RangeError when it is not one. */
export function toSourceName(value: string): SourceName {
  if (!isSourceName(value)) throw new RangeError(`not a source name (a-z, 0-9, hyphen): ${value}`);
  return value;
}
