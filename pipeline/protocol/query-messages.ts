/** A value of a result cell as it crosses processes; exact numbers travel as text with their type beside them in the column. */
export type WireCell = string | number | boolean | null;

/** One column of a result: DuckDB's type name. Integers beyond 2^53, decimals and nested values are text cells. */
export type ResultColumn = { readonly name: string; readonly type: string };

/** A cell of a page by its place, from 0. */
export type CellPlace = { readonly row: number; readonly column: number };

/** A cell whose text the page has in part only. `bytes`: its whole size in UTF-8. */
export type CutCell = CellPlace & { readonly bytes: number };

/** A page of a result, rows first to last. */
export type ResultPage = {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly WireCell[])[];
  /** Missing where every cell is whole. */
  readonly cut?: readonly CutCell[];
  /** Name by which the whole texts of cut cells are asked for; missing where none was cut. */
  readonly keptId?: string;
};

/** What the query worker (or a reading command of the command line) can be asked. Everything names or returns its snapshot, or the answer it belongs to. */
export type QueryRequest =
  /** Newest rows for Live edits: silver rows of `source` with from ≤ log_offset ≤ to, newest `limit` of them, in offset order. */
  | {
      readonly ask: "live-rows";
      readonly source: string;
      readonly fromOffset: number;
      readonly toOffset: number;
      readonly limit: number;
    }
  /** One record with everything known of it: its table, all columns, raw text. */
  | { readonly ask: "record"; readonly source: string; readonly logOffset: number }
  | { readonly ask: "tables"; readonly asOf: number | null }
  | { readonly ask: "snapshots"; readonly limit: number }
  /**
   * A read-only statement on the latest or the given snapshot; at most `limit` rows come back, `total` says how many there are.
   * Texts above `cellChars` UTF-16 units are cut, and their whole is kept for a while; without it none is cut.
   */
  | {
      readonly ask: "sql";
      readonly text: string;
      readonly asOf: number | null;
      readonly limit: number;
      readonly cellChars?: number | undefined;
    }
  /** Whole texts of cells that an answer to `sql` has in part. */
  | { readonly ask: "cells"; readonly keptId: string; readonly cells: readonly CellPlace[] }
  | {
      readonly ask: "export";
      readonly sql: string | null;
      readonly table: string | null;
      readonly asOf: number | null;
      readonly path: string;
      readonly format: "parquet" | "csv" | "ndjson";
      /** Name and version of the program, for the manifest beside the file. */
      readonly writtenBy: string;
    }
  /** Tables of one snapshot into a folder that is not there yet (or empty), with a manifest. */
  | {
      readonly ask: "export-set";
      readonly tables: "gold" | "all" | readonly string[];
      readonly asOf: number | null;
      readonly folder: string;
      readonly format: "parquet" | "csv" | "ndjson";
      readonly writtenBy: string;
    }
  | {
      readonly ask: "verify";
      readonly source: string | null;
      readonly manifestPath: string | null;
      readonly asOf: number | null;
    };

/** A row of Live edits; the columns are what the list shows. */
export type LiveRow = {
  readonly logOffset: number;
  readonly eventTimeMs: number;
  readonly receivedTimeMs: number;
  readonly type: string;
  readonly wiki: string;
  readonly namespace: number | null;
  readonly title: string | null;
  readonly user: string | null;
  readonly userKind: string;
  readonly bot: boolean;
  readonly minor: boolean | null;
  readonly bytesChanged: number | null;
  readonly comment: string | null;
  readonly late: boolean;
  readonly latenessMs: number;
  readonly uri: string | null;
};

/** Where a record ended and all that is stored of it. */
export type RecordView = {
  readonly logOffset: number;
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly value: WireCell }[];
  /** Raw text as stored (well-formed); null where no table keeps it. */
  readonly raw: string | null;
  /** First {@link MAX_RECORD_BYTES} of the original bytes as hex, and how many there are; null where they are the raw text in UTF-8. */
  readonly bytes: { readonly headHex: string; readonly sizeBytes: number } | null;
  /** The commit that the record came with; null once its snapshot is no longer kept. */
  readonly commit: {
    readonly snapshotId: number;
    readonly commitTimeMs: number;
    readonly fromOffset: number;
    readonly toOffset: number;
  } | null;
};

/** Original bytes of a record that an answer carries: what a person looks through, far below what a message may have. */
export const MAX_RECORD_BYTES = 16_384;

/** A table with its size at a snapshot. */
export type TableInfo = {
  readonly schema: string;
  readonly name: string;
  readonly kind: "append" | "window";
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nullable: boolean }[];
  readonly rows: number;
  readonly hotRows: number;
  /** Rows of open windows: they wait for a newer event and may still change. */
  readonly openRows: number;
  readonly files: number;
  readonly fileBytes: number;
};

/** One checked promise of `verify`. `cannot-tell` is never a pass. */
export type VerifyCheck = {
  readonly id: string;
  readonly promise: string;
  readonly verdict: "ok" | "broken" | "cannot-tell";
  readonly detail: string;
  /** Up to 20 examples: offsets or ids. */
  readonly examples: readonly string[];
  /** Offsets or ids that are nowhere, and that are somewhere twice, as far as this check looks for them. */
  readonly lost: number;
  readonly doubled: number;
};

/** How far a long question is: 0 to 1, null where nobody can tell, and what it is at. Losing one loses nothing. */
export type QueryProgress = { readonly done: number | null; readonly what: string };

/** Answers, by the `ask` of the request. */
export type QueryResponse =
  | {
      readonly ask: "live-rows";
      readonly snapshotId: number;
      readonly checkpoint: number;
      readonly rows: readonly LiveRow[];
    }
  | { readonly ask: "record"; readonly snapshotId: number; readonly record: RecordView | null }
  | { readonly ask: "tables"; readonly snapshotId: number; readonly tables: readonly TableInfo[] }
  | {
      readonly ask: "snapshots";
      readonly snapshots: readonly {
        readonly snapshotId: number;
        readonly commitTimeMs: number;
        readonly kind: string;
        readonly sealed: boolean;
        readonly source: string | null;
        readonly fromOffset: number | null;
        readonly toOffset: number | null;
      }[];
    }
  | {
      readonly ask: "sql";
      readonly snapshotId: number;
      readonly page: ResultPage;
      readonly total: number;
      readonly truncated: boolean;
      readonly elapsedMs: number;
    }
  /** In the order asked. */
  | { readonly ask: "cells"; readonly texts: readonly string[] }
  | {
      readonly ask: "export";
      readonly snapshotId: number;
      readonly path: string;
      readonly manifestPath: string;
      readonly rows: number;
      /** Rows of open windows among them, which may still change; null where a statement was exported. */
      readonly openRows: number | null;
      readonly bytes: number;
      readonly sha256: string;
    }
  | {
      readonly ask: "export-set";
      readonly snapshotId: number;
      readonly folder: string;
      readonly files: readonly {
        readonly file: string;
        readonly rows: number;
        readonly openRows: number | null;
        readonly bytes: number;
        readonly sha256: string;
      }[];
    }
  | {
      readonly ask: "verify";
      readonly snapshotId: number;
      readonly verdict: "ok" | "broken" | "cannot-tell";
      readonly checks: readonly VerifyCheck[];
    };
