import type { Offset, SnapshotId, SourceName } from "./brand.ts";
import type { Gap, LedgerEntry } from "./ledger.ts";
import type { TableBatch, TableDef } from "./table.ts";

/** What the lake remembers per source besides its tables (`hw_state`); a function of the log alone up to `checkpoint`. */
export type SourceState = {
  readonly source: SourceName;
  readonly checkpoint: Offset;
  /** Watermark after `checkpoint`, microseconds; null before the first bronze record. */
  readonly watermarkUs: number | null;
  /** Largest event time of a bronze record up to `checkpoint`, microseconds. */
  readonly maxEventTimeUs: number | null;
  /** H: ids of bronze records from this offset on are held by dedup. */
  readonly horizonOffset: Offset;
  /** Newest source cursor whose records are all ≤ checkpoint; used when the log has no readable record. */
  readonly sourceCursor: string | null;
  /** Anything else the pipeline must find again after a restart, as JSON (topic positions, clock state, …). */
  readonly extra: string;
};

/** One micro-batch (or one amend run), ready to become one snapshot. */
export type CommitInput = {
  readonly source: SourceName;
  /** First offset handled; `toOffset` = checkpoint afterwards. `fromOffset` must be the stored checkpoint + 1. */
  readonly fromOffset: Offset;
  readonly toOffset: Offset;
  readonly receivedMinMs: number;
  readonly receivedMaxMs: number;
  /** Rows to add to append tables, and rows of window tables that settled without ever being open in the lake. */
  readonly appends: readonly TableBatch[];
  /** Rows of window tables to insert or to replace by key: open ones, and those that settle now. Old rows are hot. */
  readonly upserts: readonly TableBatch[];
  /** Rows of settled windows to replace by key, wherever they are (redrive, repair): state `amended`. */
  readonly amends: readonly TableBatch[];
  readonly ledger: readonly LedgerEntry[];
  readonly gaps: readonly Gap[];
  readonly state: SourceState;
  /** live: hot rows in the catalog. catching-up: append rows and settled window rows go straight to Parquet. */
  readonly mode: "live" | "catching-up";
};

/** A published snapshot. */
export type CommitResult = {
  readonly snapshotId: SnapshotId;
  /** Commit time, microseconds since 1970 UTC; strictly increasing. */
  readonly commitTimeUs: number;
};

/** One line of the snapshot list. */
export type SnapshotInfo = {
  readonly snapshotId: SnapshotId;
  readonly commitTimeUs: number;
  readonly kind: "commit" | "seal" | "schema" | "amend" | "compaction";
  /** True where no row is hot, so the snapshot is read from Parquet alone. */
  readonly sealed: boolean;
  readonly source: string | null;
  readonly fromOffset: number | null;
  readonly toOffset: number | null;
};

/** Which rows a scan wants; every bound is inclusive. `eventTime*Us` applies to tables with an `event_time` column. */
export type ScanOptions = {
  readonly at?: SnapshotId;
  readonly columns?: readonly string[];
  readonly source?: SourceName;
  readonly fromOffset?: Offset;
  readonly toOffset?: Offset;
  readonly eventTimeFromUs?: number;
  readonly eventTimeToUs?: number;
};

/** Size of a table at a snapshot. */
export type TableSize = {
  readonly rows: number;
  readonly hotRows: number;
  /** Rows of open windows, which may still change; 0 for tables without windows. */
  readonly openRows: number;
  readonly files: number;
  readonly fileBytes: number;
};

/** Reads the lake while another process writes it; every answer is of one snapshot. Opened by `openLakeReader` (storage/lake/read/); must be closed. */
export type LakeReader = {
  readonly latest: () => SnapshotId;
  /** Newest first. */
  readonly snapshots: (limit: number) => readonly SnapshotInfo[];
  /** Definitions as the catalog has them at the snapshot. Throws `snapshot-unknown`. */
  readonly tables: (at?: SnapshotId) => readonly TableDef[];
  readonly size: (table: TableDef, at?: SnapshotId) => TableSize;
  /** Rows of one table in batches of bounded size, ordered by key within file and hot part, not across them. */
  readonly scan: (table: TableDef, options?: ScanOptions) => AsyncIterable<TableBatch>;
  readonly state: (source: SourceName) => SourceState | null;
  readonly sources: () => readonly SourceName[];
  /** Sums over all commits up to the snapshot. */
  readonly ledger: (at?: SnapshotId) => readonly LedgerEntry[];
  readonly gaps: (source: SourceName) => readonly Gap[];
  /** Stored additive multiset hash of a table at a snapshot (sum of rowHash mod 2^64). */
  readonly contentHash: (table: TableDef, at?: SnapshotId) => bigint;
  readonly close: () => Promise<void>;
};

/** What one maintenance step did. */
export type MaintenanceResult = {
  readonly did: "nothing" | "seal" | "expire" | "prune" | "sweep";
  readonly snapshotId: SnapshotId | null;
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
};

/** A catalog that lost its newest commits, as told by somebody who had seen them. */
export type CatalogWentBack = {
  readonly foundSnapshotId: number;
  readonly seenSnapshotId: number;
  /** Snapshot ids below this may have been given before; none of them is given again. */
  readonly continuesAt: number;
  /** Parquet files of the lost commits, which this catalog does not name: moved there, never deleted. Null without any. */
  readonly setAside: { readonly files: number; readonly to: string } | null;
};

/** The only writer of the lake. Opened by `openLakeWriter` (storage/lake/lake-writer.ts), which takes the lock, creates missing tables and puts `data_path` right; must be closed. */
export type LakeWriter = {
  /** A reader on the writer's own connection, for start-up state, amends and audits. */
  readonly reader: LakeReader;
  readonly state: (source: SourceName) => SourceState | null;
  /**
   * Publishes one snapshot with everything in `input`, or nothing. Errors: `catalog-held`, `disk-full` (transient, nothing
   * happened, call again with the same input), `file-replaced`, `store-unreadable` (fatal).
   */
  readonly commit: (input: CommitInput) => Promise<CommitResult>;
  /** One bounded maintenance step (seal when due, ladder, pruning, sweep); call between commits until it did nothing. */
  readonly maintain: (nowMs: number) => Promise<MaintenanceResult>;
  /** Seals now, whatever is due. */
  readonly seal: (nowMs: number) => Promise<MaintenanceResult>;
  readonly hotRows: () => number;
  /** Rows of windows that are still open. */
  readonly openRows: () => number;
  /** Set when opening found the catalog older than the caller had seen it; commits go on above that. */
  readonly wentBack: CatalogWentBack | null;
  /**
   * Last offset of the source whose rows are all in Parquet and named by a kept seal point, whose commit a WAL checkpoint has
   * carried into the catalog's file. What the log may forget.
   */
  readonly sealedOffset: (source: SourceName) => Offset;
  readonly catalogBytes: () => number;
  readonly close: () => Promise<void>;
};
