import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LAKE_TABLES } from "#pipeline/batch/lake-tables.ts";
import { openDuckDb, sqlText, type DuckDb } from "../../duckdb/open-duckdb.ts";
import { streamCells } from "../../duckdb/read-cells.ts";
import {
  defineColumns,
  type CellValue,
  type ColumnDef,
  type TableBatch,
  type TableDef,
} from "../../model/table.ts";
import { encodeTable } from "./encode-table.ts";
import { transferList } from "./encoded-table.ts";
import { finishFile } from "./finish-file.ts";
import { hasPyarrow, readWithPyarrow } from "./pyarrow.test-support.ts";
import { comparable, everyTypeTable, randomBatch } from "./random-table.test-support.ts";
import { writeParquetFile } from "./write-parquet.ts";

let folder = "";
let duckdb: DuckDb;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "highwater-parquet-"));
  duckdb = await openDuckDb({
    tempFolder: join(folder, "spill"),
    tempLimitBytes: 1e9,
    memoryLimitBytes: 1e9,
    threads: 1,
    allowedFolders: [folder],
  });
});
afterAll(async () => {
  await duckdb.close();
  await rm(folder, { recursive: true, force: true });
});

let fileNumber = 0;
function nextPath(): string {
  fileNumber += 1;
  return join(folder, `file-${fileNumber}.parquet`);
}

async function readBack(path: string, columns: readonly ColumnDef[]): Promise<CellValue[][]> {
  const connection = await duckdb.connect();
  try {
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    const sql = `SELECT ${names} FROM read_parquet(${sqlText(path)}) ORDER BY file_row_number`;
    const all: CellValue[][] = columns.map(() => []);
    for await (const chunk of streamCells(connection, sql, columns)) {
      chunk.columns.forEach((cells, index) => all[index]?.push(...cells));
    }
    return all;
  } finally {
    connection.closeSync();
  }
}

async function query(sql: string): Promise<unknown[][]> {
  const connection = await duckdb.connect();
  try {
    return await (await connection.run(sql)).getRowsJson();
  } finally {
    connection.closeSync();
  }
}

/** `"uint8array"` cells of a text column come back as text. */
function asText(batch: TableBatch): TableBatch {
  return {
    ...batch,
    columns: batch.columns.map((cells, index) =>
      batch.table.columns[index]?.type === "blob"
        ? cells
        : cells.map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell).toString("utf8") : cell)),
    ),
  };
}

function textTable(type: "varchar" | "json" | "blob" = "varchar"): TableDef {
  return { ...everyTypeTable, columns: defineColumns({ v: `?${type}` }) };
}

test("random tables read back through DuckDB with equal values", async () => {
  await fc.assert(
    fc.asyncProperty(randomBatch(200), async (batch) => {
      const path = nextPath();
      const file = await writeParquetFile({ path, batches: [batch], metadata: {} });
      expect(file.rowCount).toBe(batch.rowCount);
      expect(comparable(await readBack(path, batch.table.columns))).toEqual(comparable(batch.columns));
    }),
    { numRuns: 60 },
  );
});

test.skipIf(!hasPyarrow)(
  "random tables read back through pyarrow with equal values, types, field ids and page checksums (needs build/prepare-test-tools.ts)",
  async () => {
    const batches = [
      ...fc.sample(randomBatch(150), { numRuns: 25 }),
      ...fc.sample(randomBatch(3), { numRuns: 10 }),
    ];
    const paths: string[] = [];
    for (const batch of batches) {
      const path = nextPath();
      await writeParquetFile({
        path,
        batches: [batch],
        metadata: { "highwater.table": "main.every_type", ü: "é" },
      });
      paths.push(path);
    }
    const files = readWithPyarrow(paths);
    batches.forEach((batch, index) => {
      expect(files[index]?.columns).toEqual(comparable(batch.columns));
      expect(files[index]?.metadata).toEqual({ "highwater.table": "main.every_type", ü: "é" });
      expect(files[index]?.fields.map(({ name, nullable, id }) => ({ name, nullable, id }))).toEqual(
        everyTypeTable.columns.map(({ name, nullable, id }) => ({ name, nullable, id })),
      );
    });
    expect(files[0]?.fields.map((field) => field.type)).toEqual([
      "int64",
      "int64",
      "bool",
      "bool",
      "timestamp[us, tz=UTC]",
      "timestamp[us, tz=UTC]",
      "string",
      "string",
      "extension<arrow.json>",
      "extension<arrow.json>",
      "binary",
      "binary",
    ]);
  },
);

test("every table of the lake keeps its column types and field ids", async () => {
  for (const table of LAKE_TABLES) {
    const path = nextPath();
    const columns = table.columns.map((column): CellValue[] => {
      if (column.nullable) return [null];
      if (column.type === "int64" || column.type === "timestamptz") return [1];
      return column.type === "boolean" ? [true] : ["{}"];
    });
    await writeParquetFile({ path, batches: [{ table, rowCount: 1, columns }], metadata: {} });
    const types = { int64: "BIGINT", boolean: "BOOLEAN", varchar: "VARCHAR", json: "JSON", blob: "BLOB" };
    expect(
      await query(`SELECT column_name, column_type FROM (DESCRIBE FROM read_parquet(${sqlText(path)}))`),
    ).toEqual(
      table.columns.map((column) => [
        column.name,
        column.type === "timestamptz" ? "TIMESTAMP WITH TIME ZONE" : types[column.type],
      ]),
    );
    const ids = await query(
      `SELECT field_id::INT FROM parquet_schema(${sqlText(path)}) WHERE name <> 'root'`,
    );
    expect(ids.flat()).toEqual(table.columns.map((column) => column.id));
  }
});

test("cells of 1 MiB, given as bytes or as text, spread over pages and come back whole", async () => {
  const cells: CellValue[] = Array.from({ length: 24 }, (_, index) => {
    const text = JSON.stringify(`${index}-${"ä€😀x".repeat(104_858)}`);
    if (index % 5 === 4) return null;
    return index % 2 === 0 ? text : Buffer.from(text);
  });
  const path = nextPath();
  const batch = { table: textTable("json"), rowCount: 24, columns: [cells] };
  await writeParquetFile({ path, batches: [batch], metadata: {} });
  expect(await readBack(path, batch.table.columns)).toEqual(asText(batch).columns);
});

test("what repeats a megabyte further on is stored once, and ids are not worth an effort", async () => {
  const digits = (seed: number, length: number): string =>
    Array.from({ length }, (_, index) => createHash("sha256").update(`${seed}-${index}`).digest("hex")).join(
      "",
    );
  // 40 records of 32 kB without any repeat in themselves, then all of them again.
  const records = Array.from({ length: 80 }, (_, index) => JSON.stringify(digits(index % 40, 500)));
  const encoded = encodeTable([{ table: textTable("json"), rowCount: 80, columns: [records] }]);
  const { fileSizeBytes } = await finishFile(nextPath(), encoded, {});
  expect(fileSizeBytes).toBeLessThan((80 * 32_000 * 0.75) / 2);

  const ids = Array.from({ length: 300 }, (_, index) => digits(index, 1));
  const pages = encodeTable([{ table: textTable("varchar"), rowCount: 300, columns: [ids] }]).rowGroups[0];
  expect(pages?.chunks[0]?.pages.map(({ effort }) => effort)).toEqual(["quick"]);
});

test("100,000 rows make bounded row groups and exact statistics", async () => {
  const table: TableDef = {
    ...everyTypeTable,
    columns: defineColumns({ n: "int64", t: "?timestamptz", v: "varchar" }),
  };
  const numbers = Array.from({ length: 50_000 }, (_, index) => index - 5);
  const half = (add: number): TableBatch => ({
    table,
    rowCount: 50_000,
    columns: [
      numbers.map((n) => n + add),
      numbers.map((n) => (n % 7 === 0 ? null : (n + add) * 1_000_000 + 5)),
      numbers.map((n) => `name ${n % 9}`),
    ],
  });
  const path = nextPath();
  const file = await writeParquetFile({ path, batches: [half(0), half(50_000)], metadata: {} });
  expect(file.stats).toEqual([
    { columnId: 1, valueCount: 100_000, nullCount: 0, min: "-5", max: "99994" },
    {
      columnId: 2,
      valueCount: 100_000,
      nullCount: 14_286,
      min: "1969-12-31 23:59:55.000005+00",
      max: "1970-01-02 03:46:33.000005+00",
    },
    { columnId: 3, valueCount: 100_000, nullCount: 0, min: null, max: null },
  ]);
  const source = sqlText(path);
  expect(
    await query(`SELECT row_group_num_rows::INT FROM parquet_metadata(${source}) WHERE column_id = 0`),
  ).toEqual([[65_536], [34_464]]);
  expect(
    await query(
      `SELECT count(*)::INT, sum(n)::VARCHAR, count(t)::INT, count(DISTINCT v)::INT FROM read_parquet(${source})`,
    ),
  ).toEqual([[100_000, "4999450000", 85_714, 14]]);
});

test("footer and file sizes are those of the file", async () => {
  const path = nextPath();
  const batch = { table: textTable(), rowCount: 3, columns: [["a", null, ""]] };
  const file = await writeParquetFile({ path, batches: [batch], metadata: { a: "b" } });
  const bytes = await readFile(path);
  expect(file.fileSizeBytes).toBe(bytes.length);
  expect(file.footerSizeBytes).toBe(bytes.readUInt32LE(bytes.length - 8));
  expect(await query(`SELECT decode(key), decode(value) FROM parquet_kv_metadata(${sqlText(path)})`)).toEqual(
    [["a", "b"]],
  );
});

test.each([
  ["a lone surrogate", textTable(), ["ok", "\ud83d"]],
  ["two lone surrogates that would pair when joined", textTable(), ["é\ud83d", "\ude00é"]],
  ["bytes that are not UTF-8", textTable(), [Uint8Array.of(0xff)]],
  ["a number in a text column", textTable(), [5]],
  ["text in a blob column", textTable("blob"), ["a"]],
  ["an inexact integer", { ...everyTypeTable, columns: defineColumns({ n: "int64" }) }, [2 ** 53]],
  ["null in a required column", { ...everyTypeTable, columns: defineColumns({ n: "int64" }) }, [null]],
])("refuses %s and leaves no file", async (_, table, cells) => {
  const path = nextPath();
  const batch = { table, rowCount: cells.length, columns: [cells] };
  await expect(writeParquetFile({ path, batches: [batch], metadata: {} })).rejects.toThrow(/column|UTF-8/);
  const name = path.slice(folder.length + 1);
  expect((await readdir(folder)).filter((entry) => entry.startsWith(name))).toEqual([]);
});

test("pages encoded on one thread are finished on another: handed over whole, nothing left behind", async () => {
  const [batch] = fc.sample(randomBatch(300), { numRuns: 1, seed: 7 });
  if (batch === undefined) throw new Error("no sample");
  const encoded = encodeTable([batch]);
  const received = structuredClone(encoded, { transfer: transferList(encoded) });
  expect(
    encoded.rowGroups.flatMap((group) =>
      group.chunks.flatMap((chunk) => chunk.pages.map((page) => page.bytes.byteLength)),
    ),
  ).toSatisfy((lengths: number[]) => lengths.every((length) => length === 0));
  const path = nextPath();
  await finishFile(path, received, {});
  expect(comparable(await readBack(path, batch.table.columns))).toEqual(comparable(batch.columns));
});

test("wide integers, sorted ones, repeated ones and all nulls each keep their values in their own encoding", async () => {
  const { MAX_SAFE_INTEGER, MIN_SAFE_INTEGER } = Number;
  const table: TableDef = {
    ...everyTypeTable,
    columns: defineColumns({ wide: "int64", up: "int64", same: "int64", none: "?int64" }),
  };
  for (const rows of [1, 2, 128, 129, 130, 1000]) {
    const each = (cell: (row: number) => CellValue): CellValue[] =>
      Array.from({ length: rows }, (_, row) => cell(row));
    const columns = [
      each((row) => (row % 2 === 0 ? MAX_SAFE_INTEGER - row : MIN_SAFE_INTEGER + row)),
      each((row) => MIN_SAFE_INTEGER + row * 2 ** 40),
      each(() => 2 ** 45),
      each(() => null),
    ];
    const path = nextPath();
    const file = await writeParquetFile({
      path,
      batches: [{ table, rowCount: rows, columns }],
      metadata: {},
    });
    expect(await readBack(path, table.columns)).toEqual(columns);
    expect(file.stats[3]).toEqual({ columnId: 4, valueCount: rows, nullCount: rows, min: null, max: null });
  }
});

test("a batch of no rows makes a file of no rows that every reader takes", async () => {
  const path = nextPath();
  const batch = { table: everyTypeTable, rowCount: 0, columns: everyTypeTable.columns.map(() => []) };
  expect(await writeParquetFile({ path, batches: [batch], metadata: {} })).toMatchObject({ rowCount: 0 });
  expect(await query(`SELECT count(*)::INT FROM read_parquet(${sqlText(path)})`)).toEqual([[0]]);
});

test.skipIf(process.platform !== "linux")(
  "says disk full where there is no room, and leaves nothing behind",
  async () => {
    // /dev/full refuses every write as a full disk does; the temporary name is a link to it.
    const path = nextPath();
    await symlink("/dev/full", `${path}.tmp`);
    const batch = { table: textTable(), rowCount: 1, columns: [["x"]] };
    await expect(writeParquetFile({ path, batches: [batch], metadata: {} })).rejects.toMatchObject({
      code: "disk-full",
    });
    const name = path.slice(folder.length + 1);
    expect((await readdir(folder)).filter((entry) => entry.startsWith(name))).toEqual([]);
  },
);
