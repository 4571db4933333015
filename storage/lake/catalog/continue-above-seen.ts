import type { CatalogWentBack } from "../../model/lake.ts";
import type { CatalogSession } from "./catalog-session.ts";
import { publishSnapshot } from "./publish-snapshot.ts";

/**
 * What is remembered of the highest snapshot is written every few seconds, and a commit takes 10 ms at least (the lowest
 * `liveBatchMs`): far more ids than can have been given since it was.
 */
const UNREMEMBERED_SNAPSHOTS = 10_000;

/**
 * Finds out whether the catalog lost its newest commits (put back from a copy, or its -wal file is gone), by what was seen of
 * it or by files of a newer one that were set aside, and if it did makes an empty snapshot above every id that may have been given: two different contents never have one id. The offsets behind its
 * checkpoint are processed again. Null where the catalog is as new as what is `remembered`. Errors: `catalog-held`, `disk-full`.
 */
export function continueAboveSeen(
  session: CatalogSession,
  remembered: number | null,
): CatalogWentBack | null {
  const foundSnapshotId = session.counters.snapshotId;
  const { setAside } = session;
  const seenSnapshotId = Math.max(remembered ?? 0, setAside?.highestSnapshot ?? 0);
  if (foundSnapshotId >= seenSnapshotId) return null;
  const { snapshotId } = session.transaction("going on above what was seen", (counters) => {
    counters.snapshotId = seenSnapshotId + UNREMEMBERED_SNAPSHOTS;
    return publishSnapshot(session, counters, {
      kind: "schema",
      sealed: false,
      changes: new Set(),
      endedBytes: 0,
      range: null,
    });
  });
  return { foundSnapshotId, seenSnapshotId, continuesAt: snapshotId, setAside };
}
