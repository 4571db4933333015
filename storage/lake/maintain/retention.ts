/** A snapshot as the ladder sees it. */
export type LadderSnapshot = {
  readonly snapshotId: number;
  readonly timeMs: number;
  /** A seal point: no row is hot at it, so keeping it keeps only files. */
  readonly sealed: boolean;
  /** Bytes of hot rows that ended at it: older snapshots still see them. */
  readonly endedBytes: number;
  /** Records of the log that it handled. */
  readonly records: number;
};

/** Limits of the first rung, on which every snapshot is kept. */
export type LadderLimits = {
  readonly keepAllMs: number;
  readonly keepAllSnapshots: number;
  readonly keepAllBytes: number;
  readonly keepAllRecords: number;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The rungs below (architecture.md "Retention ladder"): up to which age one seal point is kept per how long. */
const RUNGS: readonly { readonly untilAgeMs: number; readonly oneEachMs: number }[] = [
  { untilAgeMs: DAY_MS, oneEachMs: 10 * MINUTE_MS },
  { untilAgeMs: 7 * DAY_MS, oneEachMs: HOUR_MS },
  { untilAgeMs: 30 * DAY_MS, oneEachMs: DAY_MS },
];

/**
 * The snapshots to keep, of `snapshots` in ascending order. Always kept: the newest snapshot, the newest seal point and
 * `held` ones (pins, leases). Of each span of a rung the earliest seal point is kept, which is also the earliest of the
 * span of every later rung: so a snapshot never has to come back. Snapshots from the future count as new.
 */
export function keptSnapshots(
  snapshots: readonly LadderSnapshot[],
  nowMs: number,
  limits: LadderLimits,
  held: ReadonlySet<number>,
): ReadonlySet<number> {
  const kept = new Set<number>();
  const keepAllFrom = firstOfAll(snapshots, nowMs, limits);
  const spans = new Set<string>();
  let newestSeal: number | null = null;
  for (const [index, snapshot] of snapshots.entries()) {
    if (snapshot.sealed) newestSeal = snapshot.snapshotId;
    const isNew = index >= keepAllFrom;
    const isFirst = snapshot.sealed && !isNew && isFirstOfSpan(snapshot.timeMs, nowMs, spans);
    if (isNew || isFirst || held.has(snapshot.snapshotId)) kept.add(snapshot.snapshotId);
  }
  if (newestSeal !== null) kept.add(newestSeal);
  return kept;
}

/** Index of the oldest snapshot of the first rung. The newest one is always on it. */
function firstOfAll(snapshots: readonly LadderSnapshot[], nowMs: number, limits: LadderLimits): number {
  let first = Math.max(0, snapshots.length - 1);
  let pinnedBytes = 0;
  let records = 0;
  while (first > 0) {
    const older = snapshots[first - 1];
    if (older === undefined) break;
    // Keeping the older one keeps what ended at the next: nobody newer sees it.
    pinnedBytes += snapshots[first]?.endedBytes ?? 0;
    records += snapshots[first]?.records ?? 0;
    const fits =
      snapshots.length - first < limits.keepAllSnapshots &&
      nowMs - older.timeMs <= limits.keepAllMs &&
      pinnedBytes <= limits.keepAllBytes &&
      records <= limits.keepAllRecords;
    if (!fits) break;
    first -= 1;
  }
  return first;
}

function isFirstOfSpan(timeMs: number, nowMs: number, spans: Set<string>): boolean {
  const rung = RUNGS.find(({ untilAgeMs }) => nowMs - timeMs < untilAgeMs);
  if (rung === undefined) return false;
  const span = `${rung.oneEachMs}:${Math.floor(timeMs / rung.oneEachMs)}`;
  if (spans.has(span)) return false;
  spans.add(span);
  return true;
}
