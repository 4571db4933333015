import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { constants, crc32, zstdCompress, zstdCompressSync } from "node:zlib";
import { failpoint } from "../../failpoint/failpoint.ts";
import { fsyncFolderAside } from "../../files/write-file-atomic.ts";
import { AppError } from "../../model/errors.ts";
import type { ColumnDef } from "../../model/table.ts";
import { columnStats, type ColumnStats } from "./column-stats.ts";
import {
  ENCODING,
  type EncodedChunk,
  type EncodedPage,
  type EncodedTable,
  type PageEffort,
} from "./encoded-table.ts";
import { CODEC, footerBytes, type WrittenChunk, type WrittenRowGroup } from "./parquet-footer.ts";
import { ThriftWriter } from "./thrift-writer.ts";

/** What the catalog wants to know of a finished file. */
export type ParquetFile = {
  readonly rowCount: number;
  readonly fileSizeBytes: number;
  /** DuckLake's `footer_size`: length of the footer without its length word and magic. */
  readonly footerSizeBytes: number;
  readonly stats: readonly ColumnStats[];
};

const MAGIC = Buffer.from("PAR1", "latin1");
/** Below this a zstd frame saves nothing. */
const MIN_COMPRESS_BYTES = 128;
/** From here on a page is compressed in libuv's pool: handing a smaller one over costs about what it saves. */
const MIN_POOL_BYTES = 32_768;

const compressInPool = promisify(zstdCompress);

/**
 * Compresses and writes an encoded table to `<path>.tmp`, fsyncs, renames, fsyncs the folder: a file that ends in .parquet
 * is whole and durable. Throws `disk-full` (nothing is left behind); any other I/O error as it is, with the temporary file removed.
 */
export async function finishFile(
  path: string,
  encoded: EncodedTable,
  metadata: Readonly<Record<string, string>>,
): Promise<ParquetFile> {
  const { parts, footerSizeBytes } = layOut(encoded, await compressPages(encoded), metadata);
  const temporary = `${path}.tmp`;
  try {
    await writeDurably(temporary, parts);
    failpoint("parquet-before-rename");
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    if (isDiskFull(error)) {
      throw new AppError("disk-full", `no space left to write ${path}`, { cause: error, details: { path } });
    }
    throw error;
  }
  failpoint("parquet-after-rename");
  await fsyncFolderAside(dirname(path));
  const { size } = await stat(path);
  return { rowCount: encoded.rowCount, fileSizeBytes: size, footerSizeBytes, stats: columnStats(encoded) };
}

async function writeDurably(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, "w");
  try {
    const half = Math.ceil(parts.length / 2);
    await writeAll(file, parts.slice(0, half));
    failpoint("parquet-mid-write");
    await writeAll(file, parts.slice(half));
    failpoint("parquet-before-fsync");
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, parts: readonly Uint8Array[]): Promise<void> {
  const bytes = Buffer.concat(parts);
  let done = 0;
  while (done < bytes.length) done += (await file.write(bytes, done)).bytesWritten;
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}

/** Bodies of the pages that are stored compressed, by page. */
type Bodies = ReadonlyMap<EncodedPage, Uint8Array>;

/** Compresses all pages of a table side by side, so that this thread can go on with the next batch meanwhile. */
async function compressPages(encoded: EncodedTable): Promise<Bodies> {
  const pages = encoded.rowGroups.flatMap(({ chunks }) =>
    chunks.filter(isWorthCompressing).flatMap((chunk) => chunk.pages),
  );
  const compress = async (page: EncodedPage) => [page, await compressPage(page)] as const;
  return new Map(await Promise.all(pages.map(compress)));
}

function isWorthCompressing({ pages }: EncodedChunk): boolean {
  return pages.reduce((sum, page) => sum + page.bytes.byteLength, 0) >= MIN_COMPRESS_BYTES;
}

function layOut(
  encoded: EncodedTable,
  bodies: Bodies,
  metadata: Readonly<Record<string, string>>,
): { parts: readonly Uint8Array[]; footerSizeBytes: number } {
  const parts: Uint8Array[] = [MAGIC];
  let position = MAGIC.length;
  const place = (bytes: Uint8Array): void => {
    parts.push(bytes);
    position += bytes.byteLength;
  };
  const rowGroups = encoded.rowGroups.map((group): WrittenRowGroup => {
    const chunks = group.chunks.map((chunk, index): WrittenChunk => {
      const column = encoded.table.columns[index];
      if (column === undefined) throw new TypeError("more chunks than columns");
      const written = layOutChunk(column, chunk, bodies, position);
      written.parts.forEach(place);
      return { ...written.chunk, valueCount: group.rowCount };
    });
    return { rowCount: group.rowCount, chunks };
  });
  const footer = footerBytes(encoded.table, rowGroups, metadata);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(footer.byteLength, 0);
  MAGIC.copy(tail, 4);
  parts.push(footer, tail);
  return { parts, footerSizeBytes: footer.byteLength };
}

function layOutChunk(
  column: ColumnDef,
  chunk: EncodedChunk,
  bodies: Bodies,
  start: number,
): { parts: readonly Uint8Array[]; chunk: Omit<WrittenChunk, "valueCount"> } {
  const codec = isWorthCompressing(chunk) ? CODEC.zstd : CODEC.uncompressed;
  const parts: Uint8Array[] = [];
  let [position, uncompressedBytes, dataOffset] = [start, 0, -1];
  let dictionaryOffset: number | null = null;
  for (const page of chunk.pages) {
    if (page.kind === "dictionary") dictionaryOffset = position;
    else if (dataOffset < 0) dataOffset = position;
    const body = bodies.get(page) ?? page.bytes;
    const header = pageHeader(page, body);
    parts.push(header, body);
    position += header.byteLength + body.byteLength;
    uncompressedBytes += header.byteLength + page.bytes.byteLength;
  }
  const encodings = [...new Set([ENCODING.rle, ...chunk.pages.map((page) => page.encoding)])];
  return {
    parts,
    chunk: {
      column,
      chunk,
      codec,
      encodings,
      dictionaryOffset,
      dataOffset,
      uncompressedBytes,
      compressedBytes: position - start,
    },
  };
}

/**
 * zstd's parameters by effort, in bytes and µs of CPU a row of the bench's corpus. Silver's texts: level 1 43.9 and 0.60, level 3
 * 38.7 and 0.68. Raw JSON: level 1 205 and 2.4, level 3 187 and 2.8, with matches of 6 bytes at least 185 and 2.8; level 5 takes
 * 171 and 6.5, more than a hundredth of the lake is worth. An id's digits grow at any level but 1.
 */
const ZSTD: Readonly<Record<PageEffort, Readonly<Record<number, number>>>> = {
  quick: { [constants.ZSTD_c_compressionLevel]: 1 },
  text: { [constants.ZSTD_c_compressionLevel]: 3 },
  records: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_minMatch]: 6 },
};

/** One chunk of output, since each further one is copied; raw JSON shrinks to a fifth, and a chunk is kept whole until it is written. */
async function compressPage({ bytes, effort }: EncodedPage): Promise<Uint8Array> {
  const expected = effort === "records" ? bytes.byteLength / 4 : bytes.byteLength;
  const options = { chunkSize: Math.max(4096, Math.ceil(expected)), params: ZSTD[effort] };
  return bytes.byteLength < MIN_POOL_BYTES
    ? zstdCompressSync(bytes, options)
    : compressInPool(bytes, options);
}

function pageHeader(page: EncodedPage, body: Uint8Array): Uint8Array {
  const out = new ThriftWriter();
  out.i32(1, page.kind === "dictionary" ? 2 : 0);
  out.i32(2, page.bytes.byteLength);
  out.i32(3, body.byteLength);
  out.i32(4, crc32(body) | 0);
  if (page.kind === "dictionary") {
    out.struct(7, () => {
      out.i32(1, page.valueCount);
      out.i32(2, page.encoding);
    });
  } else {
    out.struct(5, () => {
      out.i32(1, page.valueCount);
      out.i32(2, page.encoding);
      out.i32(3, ENCODING.rle);
      out.i32(4, ENCODING.rle);
    });
  }
  return out.finish();
}
