import fc from "fast-check";
import { expect, test } from "vitest";
import { comparable, everyTypeTable, randomBatch } from "#storage/lake/parquet/random-table.test-support.ts";
import type { TableBatch } from "#storage/model/table.ts";
import { memoryOf, packRows, unpackRows } from "./pack-rows.ts";

function posted(batch: TableBatch): TableBatch {
  const packed = packRows(batch);
  return unpackRows(everyTypeTable, [structuredClone(packed, { transfer: memoryOf(packed) })]);
}

test("every cell arrives in the other thread as it was, nulls, empty texts and bytes in text columns too", () => {
  fc.assert(
    fc.property(randomBatch(40), (batch) => {
      const expected = comparable(batch.columns);
      expect(comparable(posted(batch).columns)).toEqual(expected);
    }),
  );
});

test("a batch that was packed in pieces is one batch again, its rows in order", () => {
  fc.assert(
    fc.property(fc.array(randomBatch(8), { minLength: 1, maxLength: 4 }), (batches) => {
      const { columns, rowCount } = unpackRows(everyTypeTable, batches.map(packRows));
      const expected = everyTypeTable.columns.map((_, index) =>
        batches.flatMap((batch) => comparable(batch.columns)[index] ?? []),
      );
      expect(comparable(columns)).toEqual(expected);
      expect(rowCount).toBe(expected[0]?.length);
    }),
  );
});

test("two halves of a character in neighbouring cells stay halves, for the encoder to refuse", () => {
  const columns = everyTypeTable.columns.map(({ name, type, nullable }) => {
    if (name === "v") return ["a\ud83d", "\ude00b", "x"];
    if (name === "j") return [new Uint8Array([123, 125]), "\ud83d", new Uint8Array()];
    if (type === "blob") return [new Uint8Array([1]), new Uint8Array(), null];
    return nullable ? [null, null, null] : type === "boolean" ? [true, false, true] : [1, 2, 3];
  });
  const batch: TableBatch = { table: everyTypeTable, rowCount: 3, columns };
  const expected = comparable(batch.columns);
  expect(comparable(posted(batch).columns)).toEqual(expected);
});

test("a cell that its column cannot hold is refused before it leaves", () => {
  const columns = everyTypeTable.columns.map(() => ["text"]);
  expect(() => packRows({ table: everyTypeTable, rowCount: 1, columns })).toThrow(TypeError);
});
