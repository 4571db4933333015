import type { ColumnDef, ColumnType, TableDef } from "../../model/table.ts";
import type { EncodedChunk } from "./encoded-table.ts";
import { ThriftWriter } from "./thrift-writer.ts";

// Numbers of parquet.thrift (apache/parquet-format 2.11).
const PHYSICAL: Record<ColumnType, number> = {
  boolean: 0,
  int64: 2,
  timestamptz: 2,
  varchar: 6,
  json: 6,
  blob: 6,
};
const CONVERTED: Record<ColumnType, number | null> = {
  boolean: null,
  int64: null,
  timestamptz: 10,
  varchar: 0,
  json: 19,
  blob: null,
};
const LOGICAL = { string: 1, timestamp: 8, json: 12 } as const;
const REPETITION = { required: 0, optional: 1 } as const;
const UNIT_MICROS = 2;

/** Codecs in use: a chunk of a few bytes is not worth a zstd frame. */
export const CODEC = { uncompressed: 0, zstd: 6 } as const;

/** A column chunk as it lies in the file. */
export type WrittenChunk = {
  readonly column: ColumnDef;
  readonly chunk: EncodedChunk;
  readonly codec: number;
  readonly valueCount: number;
  readonly encodings: readonly number[];
  readonly dictionaryOffset: number | null;
  readonly dataOffset: number;
  readonly uncompressedBytes: number;
  readonly compressedBytes: number;
};

/** A row group as it lies in the file. */
export type WrittenRowGroup = { readonly rowCount: number; readonly chunks: readonly WrittenChunk[] };

/** Parquet's FileMetaData, in Thrift's compact form, without length and magic. */
export function footerBytes(
  table: TableDef,
  rowGroups: readonly WrittenRowGroup[],
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const out = new ThriftWriter();
  out.i32(1, 1);
  writeSchema(out, table);
  out.i64(
    3,
    rowGroups.reduce((sum, group) => sum + group.rowCount, 0),
  );
  let ordinal = 0;
  out.structs(4, rowGroups, (group) => {
    out.structs(1, group.chunks, (chunk) => writeChunk(out, chunk));
    out.i64(
      2,
      group.chunks.reduce((sum, chunk) => sum + chunk.uncompressedBytes, 0),
    );
    out.i64(3, group.rowCount);
    out.i64(
      6,
      group.chunks.reduce((sum, chunk) => sum + chunk.compressedBytes, 0),
    );
    out.i16(7, ordinal);
    ordinal += 1;
  });
  out.structs(5, Object.entries(metadata), ([key, value]) => {
    out.text(1, key);
    out.text(2, value);
  });
  out.text(6, "highwater");
  // TYPE_ORDER for every column: without it readers ignore min_value and max_value.
  out.structs(7, table.columns, () => out.struct(1, () => undefined));
  return out.finish();
}

function writeSchema(out: ThriftWriter, table: TableDef): void {
  const root = { name: "root", children: table.columns.length };
  out.structs<typeof root | ColumnDef>(2, [root, ...table.columns], (element) => {
    if ("children" in element) {
      out.text(4, element.name);
      out.i32(5, element.children);
      return;
    }
    out.i32(1, PHYSICAL[element.type]);
    out.i32(3, element.nullable ? REPETITION.optional : REPETITION.required);
    out.text(4, element.name);
    const converted = CONVERTED[element.type];
    if (converted !== null) out.i32(6, converted);
    out.i32(9, element.id);
    writeLogicalType(out, element.type);
  });
}

function writeLogicalType(out: ThriftWriter, type: ColumnType): void {
  if (type === "varchar") out.struct(10, () => out.struct(LOGICAL.string, () => undefined));
  if (type === "json") out.struct(10, () => out.struct(LOGICAL.json, () => undefined));
  if (type !== "timestamptz") return;
  out.struct(10, () =>
    out.struct(LOGICAL.timestamp, () => {
      out.bool(1, true);
      out.struct(2, () => out.struct(UNIT_MICROS, () => undefined));
    }),
  );
}

function writeChunk(out: ThriftWriter, written: WrittenChunk): void {
  const start = written.dictionaryOffset ?? written.dataOffset;
  out.i64(2, start);
  out.struct(3, () => {
    out.i32(1, PHYSICAL[written.column.type]);
    out.i32s(2, written.encodings);
    out.texts(3, [written.column.name]);
    out.i32(4, written.codec);
    out.i64(5, written.valueCount);
    out.i64(6, written.uncompressedBytes);
    out.i64(7, written.compressedBytes);
    out.i64(9, written.dataOffset);
    if (written.dictionaryOffset !== null) out.i64(11, written.dictionaryOffset);
    out.struct(12, () => writeStatistics(out, written));
  });
}

function writeStatistics(out: ThriftWriter, written: WrittenChunk): void {
  const { chunk, column } = written;
  out.i64(3, chunk.nullCount);
  if (chunk.min === null || chunk.max === null) return;
  out.binary(5, plainBytes(column.type, chunk.max));
  out.binary(6, plainBytes(column.type, chunk.min));
}

function plainBytes(type: ColumnType, value: number): Uint8Array {
  if (type === "boolean") return Uint8Array.of(value);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigInt64(0, BigInt(value), true);
  return new Uint8Array(view.buffer);
}
