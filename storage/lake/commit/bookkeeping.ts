import type { CommitInput } from "../../model/lake.ts";
import type { LedgerEntry } from "../../model/ledger.ts";
import type { CatalogDatabase } from "../catalog/open-catalog.ts";
import { hashFromText, hashToText } from "../catalog/hash-text.ts";
import { addHash } from "../hash/row-hash.ts";

/** Statements for what a commit remembers beside its rows, prepared once. */
export type Bookkeeping = ReturnType<typeof prepareBookkeeping>;

/** Prepares them. */
export function prepareBookkeeping(database: CatalogDatabase) {
  const checkpoint = database
    .prepare<[string], number>("SELECT checkpoint FROM hw_state WHERE source = ?")
    .pluck();
  const putState = database.prepare("INSERT OR REPLACE INTO hw_state VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const putGap = database.prepare("INSERT OR REPLACE INTO hw_gaps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const total = database.prepare<[string, string, string], { count: number; identity_hash: string }>(
    "SELECT count, identity_hash FROM hw_ledger WHERE source = ? AND stream = ? AND hop = ?",
  );
  const putTotal = database.prepare("INSERT OR REPLACE INTO hw_ledger VALUES (?, ?, ?, ?, ?)");
  const putDelta = database.prepare("INSERT INTO hw_ledger_commits VALUES (?, ?, ?, ?, ?, ?)");

  return {
    /** Stored checkpoint of the source, 0 before its first commit. */
    checkpoint: (source: string): number => checkpoint.get(source) ?? 0,
    /** Stores state, gaps and ledger of the commit, in the caller's transaction. */
    store(input: CommitInput, snapshotId: number): void {
      const { state } = input;
      putState.run(
        state.source,
        state.checkpoint,
        state.watermarkUs,
        state.maxEventTimeUs,
        state.horizonOffset,
        state.sourceCursor,
        state.extra,
        snapshotId,
      );
      for (const gap of input.gaps) {
        putGap.run(
          gap.source,
          gap.topic,
          gap.partition,
          gap.fromOffset,
          gap.toOffset,
          gap.state,
          gap.reason,
          gap.seenAt,
          gap.changedAt,
        );
      }
      for (const entry of sumEntries(input.ledger)) {
        const { source, stream, hop } = entry;
        const before = total.get(source, stream, hop);
        const count = (before?.count ?? 0) + entry.count;
        const hash = addHash(
          before === undefined ? 0n : hashFromText(before.identity_hash),
          entry.identityHash,
        );
        putTotal.run(source, stream, hop, count, hashToText(hash));
        putDelta.run(snapshotId, source, stream, hop, entry.count, hashToText(entry.identityHash));
      }
    },
  };
}

/** One entry per source, stream and hop, however the caller cut them. */
function sumEntries(entries: readonly LedgerEntry[]): Iterable<LedgerEntry> {
  const sums = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.source, entry.stream, entry.hop]);
    const before = sums.get(key);
    sums.set(key, {
      ...entry,
      count: (before?.count ?? 0) + entry.count,
      identityHash: addHash(before?.identityHash ?? 0n, entry.identityHash),
    });
  }
  return sums.values();
}
