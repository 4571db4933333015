/**
 * Every named place where a worker can be stopped on purpose, with what has and has not happened there.
 * A new one is a line here and `failpoint("name")` at the place; a test compares the two.
 */
export const FAILPOINTS = {
  // ingest worker
  "ingest-before-append": "records are in the buffer, nothing is written",
  "ingest-in-append": "records are inserted, the transaction is open",
  "ingest-after-append": "records and cursor are durable, nobody was told",
  "log-rotate-before-create": "the old segment is full, the new one does not exist",
  "log-rotate-mid": "the new segment file exists, its first settings record is not committed",
  "log-rotate-after": "the new segment is complete, the old one is not yet closed for good",
  "log-retention-before-unlink": "a segment is due, its file still exists",
  "log-retention-mid-unlink": "the database file is gone, its side files may remain",
  // pipeline worker
  "pipeline-after-read": "a batch is read from the log, nothing is decided",
  "pipeline-after-run": "all rows are computed, nothing is written",
  "commit-before": "the commit transaction is about to begin",
  "commit-in": "rows and snapshot are inserted, the transaction is open",
  "commit-after": "the snapshot is durable, nobody was told",
  "parquet-mid-write": "half of a Parquet file is written under its temporary name",
  "parquet-before-fsync": "the file is whole, not fsynced",
  "parquet-before-rename": "the file is fsynced, still under its temporary name",
  "parquet-after-rename": "the file has its name, its folder is not fsynced, no catalog row names it",
  "parquet-before-commit": "files are durable, the catalog does not name them",
  "seal-before": "a seal is due, nothing is written",
  "seal-files-written": "the seal's Parquet files are durable, the catalog does not name them",
  "seal-in-transaction": "the seal's rows are changed, the transaction is open",
  "seal-after": "the seal point is durable",
  "amend-before": "settled windows are about to be rewritten",
  "amend-in-transaction": "files are replaced in the catalog, the transaction is open",
  "expire-mid": "expired snapshots are folded into their heirs and deleted, the transaction is open",
  "expire-after": "expired snapshots are gone for good, rows and files that only they saw are still there",
  "prune-mid": "part of the hot rows that no kept snapshot sees is deleted, the transaction is open",
  "prune-after": "hot rows are deleted or files released for good, the files themselves still exist",
  "sweep-mid-unlink": "some released files are unlinked, others not",
  "state-load": "the worker started and reads its state back from the lake",
} as const satisfies Record<string, string>;

/** A name of {@link FAILPOINTS}. */
export type FailpointName = keyof typeof FAILPOINTS;

/** All names, in the order of a record's journey. */
export const FAILPOINT_NAMES: readonly FailpointName[] = Object.keys(FAILPOINTS).filter(isFailpointName);

/** True where `value` names a failpoint. */
export function isFailpointName(value: string): value is FailpointName {
  return Object.hasOwn(FAILPOINTS, value);
}

/** What a worker tells when it stopped at a failpoint: written to the report file before it blocks for good. */
export type FailpointReport = {
  readonly name: FailpointName;
  readonly pid: number;
  readonly hit: number;
  readonly fromOffset: number | null;
  readonly toOffset: number | null;
};
