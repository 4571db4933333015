import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Offset } from "../model/brand.ts";
import { toOffset } from "../model/brand.ts";
import type { AppendRecord, LogRecord, RecordKind } from "../model/record.ts";
import { RECORD_KINDS } from "../model/record.ts";

/**
 * A block holds up to {@link MAX_BLOCK_RECORDS} records in one buffer (little endian), so that a reader hands out views
 * of it and copies nothing:
 *
 *   u32 record count | u32 characters of text | u8 text encoding (0 ASCII, 1 UTF-16) | u8 version | u16 0
 *   per record, 40 bytes: u8 kind, u8 flags (1 server offset, 2 detail), u16 0, u32 characters of stream, of sourceId,
 *     of detail, u32 bytes of data, u32 0, f64 received time, f64 server offset
 *   text: stream, sourceId, detail of every record, one after the other
 *   data of every record, one after the other
 *
 * UTF-16 is used as soon as one character is not ASCII: it keeps every JavaScript string exactly, lone surrogates too.
 */
const HEADER_BYTES = 12;
const ENTRY_BYTES = 40;
const BLOCK_VERSION = 1;
const FLAG_SERVER_OFFSET = 1;
const FLAG_DETAIL = 2;
const ASCII = 0;
const UTF16 = 1;

/** Records of one block at most (reference/performance.md "What follows" 1). */
export const MAX_BLOCK_RECORDS = 500;

/** A block is cut once its data reaches this size, so that a reader never has to hold 500 records of 1 MiB for one. */
export const MAX_BLOCK_DATA_BYTES = 4 * 1_048_576;

/** How a block's body is stored. */
export const CODEC = { raw: 0, zstd: 1 } as const;

/** A block as it is stored. */
export type StoredBlock = { readonly codec: number; readonly rawBytes: number; readonly body: Uint8Array };

/** zstd's own checksum of the content makes every flipped bit an error instead of a wrong record. */
const ZSTD_PARAMS = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };

/** Packs and compresses records. */
export function encodeBlock(records: readonly AppendRecord[]): StoredBlock {
  const raw = packRecords(records);
  // One output chunk as large as the input: node then needs no second round and joins nothing.
  const body = zstdCompressSync(raw, { params: ZSTD_PARAMS, chunkSize: Math.max(1_024, raw.length) });
  return { codec: CODEC.zstd, rawBytes: raw.length, body };
}

function packRecords(records: readonly AppendRecord[]): Buffer {
  let text = "";
  let dataBytes = 0;
  for (const record of records) {
    text += record.stream;
    text += record.sourceId;
    if (record.detail !== null) text += record.detail;
    dataBytes += record.data.length;
  }
  const encoding = Buffer.byteLength(text, "utf8") === text.length ? ASCII : UTF16;
  const textBytes = encoding === ASCII ? text.length : text.length * 2;
  const textAt = HEADER_BYTES + records.length * ENTRY_BYTES;
  const raw = Buffer.allocUnsafe(textAt + textBytes + dataBytes);
  raw.writeUInt32LE(records.length, 0);
  raw.writeUInt32LE(text.length, 4);
  raw.writeUInt32LE(encoding + BLOCK_VERSION * 256, 8);
  raw.write(text, textAt, encoding === ASCII ? "latin1" : "utf16le");
  let entryAt = HEADER_BYTES;
  let dataAt = textAt + textBytes;
  for (const record of records) {
    writeEntry(raw, entryAt, record);
    raw.set(record.data, dataAt);
    entryAt += ENTRY_BYTES;
    dataAt += record.data.length;
  }
  return raw;
}

function writeEntry(raw: Buffer, at: number, record: AppendRecord): void {
  const flags =
    (record.serverOffsetMs === null ? 0 : FLAG_SERVER_OFFSET) + (record.detail === null ? 0 : FLAG_DETAIL);
  raw.writeUInt32LE(RECORD_KINDS.indexOf(record.kind) + flags * 256, at);
  raw.writeUInt32LE(record.stream.length, at + 4);
  raw.writeUInt32LE(record.sourceId.length, at + 8);
  raw.writeUInt32LE(record.detail?.length ?? 0, at + 12);
  raw.writeUInt32LE(record.data.length, at + 16);
  raw.writeUInt32LE(0, at + 20);
  raw.writeDoubleLE(record.receivedTimeMs, at + 24);
  raw.writeDoubleLE(record.serverOffsetMs ?? 0, at + 32);
}

/**
 * The records of a stored block, the first at `firstOffset`; their `data` are views of one buffer. Throws a RangeError
 * or zlib's error when the block is not exactly what {@link encodeBlock} made of `count` records.
 */
export function decodeBlock(block: StoredBlock, firstOffset: Offset, count: number): readonly LogRecord[] {
  const raw = unpackBody(block);
  if (raw.length !== block.rawBytes || raw.length < HEADER_BYTES)
    throw new RangeError("block has another length");
  if (raw.readUInt32LE(0) !== count) throw new RangeError("block holds another number of records");
  const textLength = raw.readUInt32LE(4);
  const encoding = raw.readUInt8(8);
  if (raw.readUInt8(9) !== BLOCK_VERSION || encoding > UTF16)
    throw new RangeError("block has an unknown form");
  const textAt = HEADER_BYTES + count * ENTRY_BYTES;
  const dataAt = textAt + (encoding === ASCII ? textLength : textLength * 2);
  if (dataAt > raw.length) throw new RangeError("block is too short for its text");
  const text = raw.toString(encoding === ASCII ? "latin1" : "utf16le", textAt, dataAt);
  return readEntries(raw, { text, dataAt, firstOffset, count });
}

function unpackBody({ codec, rawBytes, body }: StoredBlock): Buffer {
  if (codec === CODEC.raw) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (codec !== CODEC.zstd) throw new RangeError(`block has an unknown codec: ${codec}`);
  // One byte more than needed: a content of exactly chunkSize bytes would make node allocate a second chunk.
  const chunkSize = Math.min(Math.max(rawBytes + 1, 1_024), 256 * 1_048_576);
  return zstdDecompressSync(body, { chunkSize, maxOutputLength: Math.max(rawBytes, 1) });
}

type BlockLayout = {
  readonly text: string;
  readonly dataAt: number;
  readonly firstOffset: Offset;
  readonly count: number;
};

function readEntries(raw: Buffer, layout: BlockLayout): readonly LogRecord[] {
  const { text, firstOffset, count } = layout;
  const records: LogRecord[] = [];
  let { dataAt } = layout;
  let charAt = 0;
  const take = (length: number): string => {
    const part = text.substring(charAt, charAt + length);
    charAt += length;
    return part;
  };
  for (let index = 0; index < count; index += 1) {
    const at = HEADER_BYTES + index * ENTRY_BYTES;
    const kindAndFlags = raw.readUInt32LE(at);
    const flags = kindAndFlags >>> 8;
    const dataLength = raw.readUInt32LE(at + 16);
    records.push({
      offset: toOffset(firstOffset + index),
      kind: kindOf(kindAndFlags & 0xff),
      stream: take(raw.readUInt32LE(at + 4)),
      sourceId: take(raw.readUInt32LE(at + 8)),
      receivedTimeMs: raw.readDoubleLE(at + 24),
      serverOffsetMs: (flags & FLAG_SERVER_OFFSET) === 0 ? null : raw.readDoubleLE(at + 32),
      detail: takeDetail(flags, raw.readUInt32LE(at + 12), take),
      data: new Uint8Array(raw.buffer, raw.byteOffset + dataAt, dataLength),
    });
    dataAt += dataLength;
  }
  if (charAt !== text.length || dataAt !== raw.length) throw new RangeError("block's parts do not add up");
  return records;
}

function takeDetail(flags: number, length: number, take: (length: number) => string): string | null {
  return (flags & FLAG_DETAIL) === 0 ? null : take(length);
}

function kindOf(index: number): RecordKind {
  const kind = RECORD_KINDS[index];
  if (kind === undefined) throw new RangeError(`block holds an unknown record kind: ${index}`);
  return kind;
}

/** Cuts records into runs that fit a block each. */
export function splitIntoBlocks(records: readonly AppendRecord[]): readonly (readonly AppendRecord[])[] {
  const blocks: (readonly AppendRecord[])[] = [];
  let start = 0;
  let bytes = 0;
  for (const [index, record] of records.entries()) {
    bytes += record.data.length;
    const full = index + 1 - start >= MAX_BLOCK_RECORDS || bytes >= MAX_BLOCK_DATA_BYTES;
    if (!full && index + 1 < records.length) continue;
    blocks.push(records.slice(start, index + 1));
    start = index + 1;
    bytes = 0;
  }
  return blocks;
}
