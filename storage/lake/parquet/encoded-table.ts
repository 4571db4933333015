import type { TableDef } from "../../model/table.ts";

/** Parquet's numbers for the encodings used here (parquet.thrift, enum Encoding). */
export const ENCODING = { plain: 0, rle: 3, deltaBinaryPacked: 5, deltaLength: 6, rleDictionary: 8 } as const;

/**
 * How hard a page is worth compressing. `quick`: numbers, dictionaries, and values of one length (ids, hashes), in which zstd
 * finds nothing to repeat. `text`: words of people. `records`: long texts that repeat each other in long runs (raw JSON).
 */
export type PageEffort = "quick" | "text" | "records";

/** One uncompressed page: definition levels (nullable columns) and values, or a dictionary. */
export type EncodedPage = {
  readonly kind: "dictionary" | "data";
  readonly encoding: number;
  /** Values of the page, nulls included. */
  readonly valueCount: number;
  readonly effort: PageEffort;
  readonly bytes: Uint8Array<ArrayBuffer>;
};

/** One column of one row group; `min`/`max` only for integers and timestamps, null where there is no value. */
export type EncodedChunk = {
  readonly columnId: number;
  readonly pages: readonly EncodedPage[];
  readonly nullCount: number;
  readonly min: number | null;
  readonly max: number | null;
};

/** One row group, chunks in the order of the table's columns. */
export type EncodedRowGroup = { readonly rowCount: number; readonly chunks: readonly EncodedChunk[] };

/**
 * A table's rows as uncompressed Parquet pages: everything that needs the rows is done, so another thread can compress and
 * write it. Plain data whose pages own their memory: post it with {@link transferList}.
 */
export type EncodedTable = {
  readonly table: TableDef;
  readonly rowCount: number;
  readonly rowGroups: readonly EncodedRowGroup[];
};

/** The memory to hand over with `postMessage(encoded, transferList(encoded))`; afterwards this thread's copy is empty. */
export function transferList(encoded: EncodedTable): ArrayBuffer[] {
  return encoded.rowGroups.flatMap((group) =>
    group.chunks.flatMap((chunk) => chunk.pages.map((page) => page.bytes.buffer)),
  );
}
