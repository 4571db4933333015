import { settingsSchema, type Settings } from "#storage/model/settings.ts";

/** What a test wishes for beside {@link fastSettings}. */
export type Wish = {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly ingest?: Readonly<Record<string, unknown>>;
  readonly lake?: Readonly<Record<string, unknown>>;
};

/**
 * Limits so small that rotation, seal, expiry, pruning and sweeps all happen within seconds, and batches so small that a
 * run has some hundred commits. Allowed lateness of 5 s and windows of 5 and 10 s, so that windows settle within a run of
 * 60 s of event time; what the feed calls late (130 s and more) stays late.
 */
export function fastSettings(wish: Wish = {}): Settings {
  return settingsSchema.parse({
    result: {
      allowedLatenessMs: 5_000,
      windows: {
        editsPerMinuteMs: 10_000,
        topPagesMs: 10_000,
        userBytesMs: 5_000,
        latenessHistogramMs: 10_000,
      },
      ...wish.result,
    },
    ingest: {
      resumeRewindMs: 2_000,
      connectTimeoutMs: 3_000,
      idleTimeoutMs: 30_000,
      backoffMinMs: 10,
      backoffMaxMs: 200,
      groupCommitMs: 20,
      groupCommitRecords: 50,
      segmentMaxBytes: 65_536,
      segmentMaxAgeMs: 1_000,
      ...wish.ingest,
    },
    lake: {
      liveBatchMs: 30,
      liveBatchRecords: 100,
      catchUpRecords: 300,
      sealRows: 400,
      sealAgeMs: 1_000,
      keepAllMs: 1_000,
      keepAllSnapshots: 100,
      unlinkDelayMs: 200,
      ...wish.lake,
    },
  });
}
