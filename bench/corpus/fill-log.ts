import type { DataFolder } from "#storage/files/data-folder.ts";
import { openLogReader } from "#storage/log/log-reader.ts";
import { NEW_LAKE, openLogWriter } from "#storage/log/log-writer.ts";
import { type SourceName } from "#storage/model/brand.ts";
import type { FeedPlan } from "#pipeline/demo-feed/generate/feed-plan.ts";
import { type AppendRecord, NO_INGEST_COUNTERS } from "#storage/model/record.ts";
import { DEFAULT_SETTINGS } from "#storage/model/settings.ts";

/** Records per append: what ingest's group commit takes at full speed. */
const GROUP_RECORDS = DEFAULT_SETTINGS.ingest.groupCommitRecords;
/** The demo feed's events reach their topic up to 1.9 s after they happened; a client receives them then. */
const ARRIVAL_MS = 2_000;

/** What went into a log. */
export type FilledLog = { readonly records: number; readonly dataBytes: number; readonly logBytes: number };

/** Fills the log of a source with records as ingest would have, received as fast as they happened. */
export function fillLog(
  folder: DataFolder,
  source: SourceName,
  plan: FeedPlan,
  records: Iterable<{ readonly id: string; readonly data: Uint8Array }>,
): FilledLog {
  const { ingest, result } = DEFAULT_SETTINGS;
  let [count, dataBytes, receivedTimeMs] = [0, 0, plan.startMs];
  const log = openLogWriter({
    folder: folder.log(source),
    source,
    quarantine: folder.quarantine,
    lake: () => NEW_LAKE,
    settings: result,
    limits: ingest,
    // The log's clock stands where its records are, so that segments rotate by size as they would at this rate.
    clock: { nowMs: () => receivedTimeMs, monotonicMs: () => receivedTimeMs },
  });
  try {
    let group: AppendRecord[] = [];
    const append = (): void => {
      log.append(group, group.at(-1)?.sourceId ?? null, NO_INGEST_COUNTERS);
      group = [];
      log.rotateIfDue(receivedTimeMs);
    };
    for (const { id, data } of records) {
      receivedTimeMs = plan.startMs + ARRIVAL_MS + Math.floor((count * 1_000) / plan.eventRate);
      count += 1;
      dataBytes += data.length + 1;
      group.push({
        kind: "event",
        stream: "message",
        sourceId: id,
        receivedTimeMs,
        serverOffsetMs: null,
        data,
        detail: null,
      });
      if (group.length >= GROUP_RECORDS) append();
    }
    if (group.length > 0) append();
  } finally {
    log.close();
  }
  return { records: count, dataBytes, logBytes: logBytes(folder, source) };
}

/** Size of a source's log on disk, side files included. */
export function logBytes(folder: DataFolder, source: SourceName): number {
  const reader = openLogReader({ folder: folder.log(source), source });
  try {
    return reader.segments().reduce((sum, segment) => sum + segment.bytes, 0);
  } finally {
    reader.close();
  }
}
