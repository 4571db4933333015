import fc from "fast-check";
import { defineColumns, type CellValue, type TableBatch, type TableDef } from "../../model/table.ts";

/** One column of every type, required and nullable. */
export const everyTypeTable: TableDef = {
  schema: "main",
  name: "every_type",
  kind: "append",
  key: ["i"],
  columns: defineColumns({
    i: "int64",
    i_null: "?int64",
    b: "boolean",
    b_null: "?boolean",
    t: "timestamptz",
    t_null: "?timestamptz",
    v: "varchar",
    v_null: "?varchar",
    j: "json",
    j_null: "?json",
    blob: "blob",
    blob_null: "?blob",
  }),
};

const MAX_US = 9_000_000_000_000_000; // the year 2255; a safe integer with room for arithmetic
const integer = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 32, -(2 ** 32), 2 ** 31),
);
const time = fc.oneof(
  fc.integer({ min: -MAX_US, max: MAX_US }),
  fc.constantFrom(0, -1, 1, 1_764_544_000_123_456, MAX_US, -MAX_US),
);
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 70 }),
  fc.string({ unit: "binary", maxLength: 20 }).map((value) => value.toWellFormed()),
  fc.constantFrom("", "\u0000", "a\u0000b", "ü", "😀", "x".repeat(49), "é".repeat(60)),
);
const json = fc.json({ maxDepth: 2 }).map((value) => value.toWellFormed());
const blob = fc.uint8Array({ maxLength: 40 });

function cellsOf(column: TableDef["columns"][number], rows: number): fc.Arbitrary<CellValue[]> {
  const arbitraries = { int64: integer, boolean: fc.boolean(), timestamptz: time, varchar: text, json, blob };
  const value: fc.Arbitrary<CellValue> = arbitraries[column.type];
  const cell = column.nullable ? fc.option(value, { nil: null, freq: 3 }) : value;
  const exactly = { minLength: rows, maxLength: rows };
  const alike = cell.map((one) => Array.from({ length: rows }, () => one));
  const few = fc
    .array(cell, { minLength: 1, maxLength: 3 })
    .chain((some) => fc.array(fc.constantFrom(...some), exactly));
  return fc.oneof(
    { weight: 4, arbitrary: fc.array(cell, exactly) },
    { weight: 1, arbitrary: alike },
    { weight: 1, arbitrary: few },
  );
}

/** Batches of {@link everyTypeTable} with 0 to `maxRows` rows: random, constant, repeating and all-null columns. */
export function randomBatch(maxRows: number): fc.Arbitrary<TableBatch> {
  return fc
    .oneof(
      { weight: 1, arbitrary: fc.constant(0) },
      { weight: 12, arbitrary: fc.integer({ min: 1, max: maxRows }) },
    )
    .chain((rowCount) =>
      fc.tuple(...everyTypeTable.columns.map((column) => cellsOf(column, rowCount))).map((columns) => ({
        table: everyTypeTable,
        rowCount,
        columns,
      })),
    );
}

/** Cells in a form that compares exactly: bytes as hex. */
export function comparable(columns: readonly (readonly CellValue[])[]): readonly (readonly unknown[])[] {
  return columns.map((cells) =>
    cells.map((cell) => (cell instanceof Uint8Array ? { hex: Buffer.from(cell).toString("hex") } : cell)),
  );
}
