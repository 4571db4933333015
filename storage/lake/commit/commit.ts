import { failpoint } from "../../failpoint/failpoint.ts";
import { AppError } from "../../model/errors.ts";
import type { CommitInput, CommitResult } from "../../model/lake.ts";
import type { CatalogSession } from "../catalog/catalog-session.ts";
import { publishSnapshot } from "../catalog/publish-snapshot.ts";
import { applyAmend, type PreparedAmend } from "./amend.ts";
import type { Bookkeeping } from "./bookkeeping.ts";
import { ChangeSet } from "./change-set.ts";
import type { PreparedCommit } from "./prepare-files.ts";

/**
 * Publishes a prepared commit as one snapshot, in one transaction that holds rows, files, checkpoint and ledger.
 * All or nothing. Errors: `catalog-held`, `disk-full` (call again with the same), `worker-protocol` where the batch is not
 * the one behind the checkpoint (no offset is ever processed twice), `file-replaced`, `store-unreadable`.
 */
export function commitTransaction(
  session: CatalogSession,
  books: Bookkeeping,
  prepared: PreparedCommit,
  amend: PreparedAmend,
): CommitResult {
  const { input } = prepared;
  assertConsistent(input);
  failpoint("commit-before");
  const result = session.transaction("committing", (counters) => {
    assertNext(input, books.checkpoint(input.source));
    const change = new ChangeSet(session, counters);
    for (const file of prepared.files) change.appendFile(file);
    for (const batch of prepared.settled) change.endHot(batch);
    for (const batch of prepared.hotAppends) change.append(batch);
    for (const batch of prepared.hotUpserts) change.upsert(batch);
    applyAmend(change, amend);
    const published = publishSnapshot(session, counters, {
      kind: input.amends.length > 0 ? "amend" : "commit",
      sealed: false,
      changes: change.changes,
      endedBytes: change.endedBytes,
      range: input,
    });
    books.store(input, published.snapshotId);
    counters.unsealedSinceUs ??= published.commitTimeUs;
    failpoint("commit-in");
    return published;
  });
  failpoint("commit-after");
  return result;
}

function assertConsistent(input: CommitInput): void {
  const { state } = input;
  if (
    input.toOffset >= input.fromOffset &&
    state.checkpoint === input.toOffset &&
    state.source === input.source
  )
    return;
  throw new AppError("worker-protocol", "the batch's state is not the one behind its last offset", {
    details: { fromOffset: input.fromOffset, toOffset: input.toOffset, checkpoint: state.checkpoint },
  });
}

function assertNext(input: CommitInput, checkpoint: number): void {
  if (input.fromOffset === checkpoint + 1) return;
  throw new AppError(
    "worker-protocol",
    "the batch does not begin behind the checkpoint; nothing was committed",
    {
      details: { source: input.source, fromOffset: input.fromOffset, checkpoint },
    },
  );
}
