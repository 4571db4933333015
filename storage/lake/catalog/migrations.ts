/**
 * Schema steps of our own tables (`hw_*`) in the catalog; the number of steps done is the database's `user_version`.
 * A step that was ever released is never changed: a new one is added at the end.
 *
 * Content and identity hashes are 16 hex digits (an unsigned 64-bit number does not fit SQLite's integer).
 */
export const CATALOG_MIGRATIONS: readonly string[] = [
  `
  -- What the pipeline remembers per source; moves in the transaction of the rows (invariant I2).
  CREATE TABLE hw_state (
    source TEXT PRIMARY KEY, checkpoint INTEGER NOT NULL, watermark_us INTEGER, max_event_time_us INTEGER,
    horizon_offset INTEGER NOT NULL, source_cursor TEXT, extra TEXT NOT NULL, snapshot_id INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- One row per kept snapshot. kind: commit, seal, schema, amend, compaction. sealed: no row is hot at it.
  -- ended_bytes: hot bytes that ended here, which only older snapshots still see (the ladder's byte limit).
  CREATE TABLE hw_commits (
    snapshot_id INTEGER PRIMARY KEY, kind TEXT NOT NULL, source TEXT, from_offset INTEGER, to_offset INTEGER,
    received_min_ms INTEGER, received_max_ms INTEGER, commit_time_us INTEGER NOT NULL, sealed INTEGER NOT NULL,
    ended_bytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX hw_commits_sealed ON hw_commits (snapshot_id) WHERE sealed = 1;

  -- Offset ranges of commits whose snapshot expired, folded into the next kept snapshot; with hw_commits contiguous for ever.
  CREATE TABLE hw_expired_commits (
    source TEXT NOT NULL, snapshot_id INTEGER NOT NULL, from_offset INTEGER NOT NULL, to_offset INTEGER NOT NULL,
    received_min_ms INTEGER NOT NULL, received_max_ms INTEGER NOT NULL, last_commit_time_us INTEGER NOT NULL,
    commits INTEGER NOT NULL, PRIMARY KEY (source, snapshot_id)
  ) STRICT, WITHOUT ROWID;

  -- Additive multiset hash (sum of rowHash mod 2^64) and row count of every table at every kept snapshot; delta is what
  -- this snapshot changed.
  CREATE TABLE hw_table_hash (
    snapshot_id INTEGER NOT NULL, table_id INTEGER NOT NULL, content_hash TEXT NOT NULL, delta TEXT NOT NULL,
    row_count INTEGER NOT NULL, PRIMARY KEY (snapshot_id, table_id)
  ) STRICT, WITHOUT ROWID;

  -- The conservation account: sums over all commits, and what each commit added (folded like hw_expired_commits), so
  -- that the account at snapshot s = sums - everything that hw_ledger_commits has behind s.
  CREATE TABLE hw_ledger (
    source TEXT NOT NULL, stream TEXT NOT NULL, hop TEXT NOT NULL, count INTEGER NOT NULL, identity_hash TEXT NOT NULL,
    PRIMARY KEY (source, stream, hop)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE hw_ledger_commits (
    snapshot_id INTEGER NOT NULL, source TEXT NOT NULL, stream TEXT NOT NULL, hop TEXT NOT NULL,
    count INTEGER NOT NULL, identity_hash TEXT NOT NULL, PRIMARY KEY (snapshot_id, source, stream, hop)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE hw_gaps (
    source TEXT NOT NULL, topic TEXT NOT NULL, topic_partition INTEGER NOT NULL, from_offset INTEGER NOT NULL,
    to_offset INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL, seen_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL, PRIMARY KEY (source, topic, topic_partition, from_offset)
  ) STRICT, WITHOUT ROWID;

  -- Seal points that are kept, and up to which offset of each source they hold every row in Parquet.
  CREATE TABLE hw_seals (
    snapshot_id INTEGER PRIMARY KEY, seal_time_us INTEGER NOT NULL, rows INTEGER NOT NULL, files INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE hw_seal_offsets (
    snapshot_id INTEGER NOT NULL, source TEXT NOT NULL, sealed_offset INTEGER NOT NULL,
    PRIMARY KEY (snapshot_id, source)
  ) STRICT, WITHOUT ROWID;

  -- Snapshots that the ladder never expires.
  CREATE TABLE hw_pins (snapshot_id INTEGER PRIMARY KEY, reason TEXT NOT NULL, created_us INTEGER NOT NULL) STRICT;

  -- Life of files that left the catalog, until they are unlinked: a lease on a snapshot within it holds the file.
  CREATE TABLE hw_released_files (
    data_file_id INTEGER PRIMARY KEY, path TEXT NOT NULL, begin_snapshot INTEGER NOT NULL, end_snapshot INTEGER NOT NULL,
    released_ms INTEGER NOT NULL
  ) STRICT;

  -- What maintenance did, newest 1,000 entries.
  CREATE TABLE hw_maintenance (
    id INTEGER PRIMARY KEY AUTOINCREMENT, time_ms INTEGER NOT NULL, did TEXT NOT NULL, snapshot_id INTEGER,
    rows INTEGER NOT NULL, files INTEGER NOT NULL, bytes INTEGER NOT NULL, detail TEXT NOT NULL
  ) STRICT;
  `,
];
