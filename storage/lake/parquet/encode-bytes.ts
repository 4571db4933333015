import { isUtf8 } from "node:buffer";
import type { ColumnDef } from "../../model/table.ts";
import { bitWidth } from "./bit-packing.ts";
import { ByteWriter } from "./byte-writer.ts";
import type { ColumnCells } from "./column-cells.ts";
import { writeLevels } from "./definition-levels.ts";
import { writeDelta } from "./delta-encoding.ts";
import { buildDictionary } from "./dictionary.ts";
import { ENCODING, type EncodedChunk, type EncodedPage, type PageEffort } from "./encoded-table.ts";
import { writeHybrid } from "./rle-encoding.ts";

/**
 * A page ends behind the value that reaches this size. zstd looks for repeats within a page only: raw JSON took 192 bytes a
 * record in pages of 1 MB, 187 in 4 MB, 186 in one of 16 MB. A reader holds one page of a column at a time.
 */
const PAGE_BYTES = 4_000_000;
/** Values of this mean size are whole records, which repeat each other's keys and their own texts in long runs. */
const RECORD_BYTES = 256;

type Bytes = string | Uint8Array;
type BytesCells = ColumnCells<readonly Bytes[]>;

/**
 * Text, JSON and blobs: a dictionary where values repeat, else DELTA_LENGTH_BYTE_ARRAY. Throws a RangeError for text that is
 * not well-formed Unicode (a lone surrogate, bytes that are not UTF-8): written as it is, it would come back changed.
 */
export function encodeBytes(column: ColumnDef, cells: BytesCells): EncodedChunk {
  const nullCount = cells.rowCount - cells.values.length;
  return { columnId: column.id, pages: encodePages(column, cells), nullCount, min: null, max: null };
}

function encodePages(column: ColumnDef, cells: BytesCells): readonly EncodedPage[] {
  if (cells.values.length === 0) return [levelsOnlyPage(column, cells)];
  const dictionary = column.type === "blob" ? null : buildDictionary(cells.values);
  if (dictionary === null) return lengthPages(column, cells);
  for (const text of dictionary.texts) checkText(column, text);
  return dictionaryPages(column, cells, dictionary);
}

function levelsOnlyPage(column: ColumnDef, cells: BytesCells): EncodedPage {
  const out = new ByteWriter(64);
  if (column.nullable) writeLevels(out, cells.present, 0, cells.rowCount);
  return {
    kind: "data",
    encoding: ENCODING.plain,
    valueCount: cells.rowCount,
    effort: "quick",
    bytes: out.finish(),
  };
}

function dictionaryPages(
  column: ColumnDef,
  cells: BytesCells,
  dictionary: { texts: readonly string[]; indexes: Uint32Array },
): readonly EncodedPage[] {
  const entries = new ByteWriter();
  for (const text of dictionary.texts) {
    const bytes = Buffer.from(text, "utf8");
    for (let shift = 0; shift < 32; shift += 8) entries.byte((bytes.byteLength >>> shift) & 255);
    entries.bytes(bytes);
  }
  const out = new ByteWriter(dictionary.indexes.length * 2 + 64);
  if (column.nullable) writeLevels(out, cells.present, 0, cells.rowCount);
  // Width 0 would be allowed for a single entry, but not every reader takes it.
  const width = Math.max(1, bitWidth(dictionary.texts.length - 1));
  out.byte(width);
  writeHybrid(out, dictionary.indexes, 0, dictionary.indexes.length, width);
  return [
    {
      kind: "dictionary",
      encoding: ENCODING.plain,
      valueCount: dictionary.texts.length,
      effort: "quick",
      bytes: entries.finish(),
    },
    {
      kind: "data",
      encoding: ENCODING.rleDictionary,
      valueCount: cells.rowCount,
      effort: "quick",
      bytes: out.finish(),
    },
  ];
}

function lengthPages(column: ColumnDef, cells: BytesCells): readonly EncodedPage[] {
  const pages: EncodedPage[] = [];
  let rowFrom = 0;
  let valueFrom = 0;
  let value = 0;
  let size = 0;
  for (let row = 0; row < cells.rowCount; row += 1) {
    if (cells.present !== null && cells.present[row] === 0) continue;
    size += cells.values[value]?.length ?? 0;
    value += 1;
    if (size < PAGE_BYTES) continue;
    pages.push(lengthPage(column, cells, { rowFrom, rowTo: row + 1, valueFrom, valueTo: value }));
    rowFrom = row + 1;
    valueFrom = value;
    size = 0;
  }
  if (rowFrom < cells.rowCount) {
    pages.push(lengthPage(column, cells, { rowFrom, rowTo: cells.rowCount, valueFrom, valueTo: value }));
  }
  return pages;
}

type PageBounds = { rowFrom: number; rowTo: number; valueFrom: number; valueTo: number };

function lengthPage(column: ColumnDef, cells: BytesCells, bounds: PageBounds): EncodedPage {
  const { rowFrom, rowTo, valueFrom, valueTo } = bounds;
  const values = cells.values.slice(valueFrom, valueTo);
  const head = new ByteWriter(values.length * 2 + 128);
  if (column.nullable) writeLevels(head, cells.present, rowFrom, rowTo);
  const texts = values.filter((value) => typeof value === "string");
  const bytes =
    texts.length === values.length ? joinTexts(column, head, texts) : joinBytes(column, head, values);
  const effort = effortOf(values, bytes.byteLength);
  return { kind: "data", encoding: ENCODING.deltaLength, valueCount: rowTo - rowFrom, effort, bytes };
}

function effortOf(values: readonly Bytes[], byteLength: number): PageEffort {
  if (byteLength > values.length * RECORD_BYTES) return "records";
  const length = values[0]?.length;
  return values.every((value) => value.length === length) ? "quick" : "text";
}

/** One call encodes the whole page: a call per short string costs more than all else here. */
function joinTexts(column: ColumnDef, head: ByteWriter, texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const joined = texts.join("");
  const byteLength = Buffer.byteLength(joined, "utf8");
  const lengths = new Float64Array(texts.length);
  const isAscii = byteLength === joined.length;
  let total = 0;
  for (let index = 0; index < texts.length; index += 1) {
    const text = texts[index] ?? "";
    // Checked one by one, since two broken halves would look whole once joined.
    if (!isAscii) checkText(column, text);
    const length = isAscii ? text.length : Buffer.byteLength(text, "utf8");
    lengths[index] = length;
    total += length;
  }
  writeDelta(head, lengths);
  const page = new Uint8Array(head.length + total);
  page.set(head.finish());
  Buffer.from(page.buffer).write(joined, head.length, "utf8");
  return page;
}

function joinBytes(column: ColumnDef, head: ByteWriter, values: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  const parts = values.map((value) => bytesOf(column, value));
  writeDelta(
    head,
    Float64Array.from(parts, (part) => part.byteLength),
  );
  const total = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const page = new Uint8Array(head.length + total);
  page.set(head.finish());
  let position = head.length;
  for (const part of parts) {
    page.set(part, position);
    position += part.byteLength;
  }
  return page;
}

function bytesOf(column: ColumnDef, value: Bytes): Uint8Array {
  if (typeof value === "string") {
    checkText(column, value);
    return Buffer.from(value, "utf8");
  }
  if (column.type !== "blob" && !isUtf8(value))
    throw new RangeError(`column ${column.name}: bytes are not UTF-8`);
  return value;
}

function checkText(column: ColumnDef, text: string): void {
  if (!text.isWellFormed()) throw new RangeError(`column ${column.name}: text holds a lone surrogate`);
}
