import { z } from "zod";

/** Version of the rule set that this build applies; raised whenever a rule's verdict changes. */
export const RULE_SET_VERSION = 1;

const windowMs = z.int().min(1_000).max(86_400_000);

/** Schema of {@link ResultSettings}. Bounds keep every derived time inside the safe integers. */
export const resultSettingsSchema = z.strictObject({
  ruleSetVersion: z.int().min(1).default(RULE_SET_VERSION),
  allowedLatenessMs: z.int().min(0).max(86_400_000).default(120_000),
  dedupHorizonMs: z
    .int()
    .min(1_000)
    .max(400 * 86_400_000)
    .default(3_600_000),
  dedupMaxIds: z.int().min(10).max(100_000_000).default(1_000_000),
  futureToleranceMs: z.int().min(0).max(86_400_000).default(300_000),
  disabledRules: z.array(z.string().min(1).max(64)).max(100).default([]),
  windows: z
    .strictObject({
      editsPerMinuteMs: windowMs.default(60_000),
      topPagesMs: windowMs.default(300_000),
      userBytesMs: windowMs.default(5_000),
      latenessHistogramMs: windowMs.default(300_000),
    })
    .prefault({}),
});

/**
 * Every setting that decides results. They travel as log records of kind `settings` (all values, always) and take
 * effect at their offset, so a replay keeps the rules that held then. Defaults: architecture.md "Words" and "Journey".
 */
export type ResultSettings = z.infer<typeof resultSettingsSchema>;

/** The defaults of this build. */
export const DEFAULT_RESULT_SETTINGS: ResultSettings = resultSettingsSchema.parse({});

/** Schema of {@link IngestSettings}. */
export const ingestSettingsSchema = z.strictObject({
  userAgentContact: z.string().max(200).default(""),
  resumeRewindMs: z.int().min(0).max(3_600_000).default(10_000),
  frameCapBytes: z
    .int()
    .min(1_024)
    .max(1_073_741_824)
    .default(10 * 1_048_576),
  oversizedKeepBytes: z
    .int()
    .min(256)
    .max(16 * 1_048_576)
    .default(1_048_576),
  connectTimeoutMs: z.int().min(100).max(600_000).default(10_000),
  idleTimeoutMs: z.int().min(200).max(3_600_000).default(60_000),
  backoffMinMs: z.int().min(10).max(600_000).default(1_000),
  backoffMaxMs: z.int().min(10).max(3_600_000).default(60_000),
  groupCommitMs: z.int().min(1).max(10_000).default(100),
  groupCommitRecords: z.int().min(1).max(100_000).default(500),
  bufferLimitBytes: z
    .int()
    .min(65_536)
    .max(1_073_741_824)
    .default(32 * 1_048_576),
  segmentMaxBytes: z
    .int()
    .min(65_536)
    .max(8_589_934_592)
    .default(64 * 1_048_576),
  segmentMaxAgeMs: z.int().min(1_000).max(86_400_000).default(3_600_000),
  logKeepMs: z
    .int()
    .min(0)
    .max(30 * 86_400_000)
    .default(86_400_000),
  logKeepBytes: z
    .int()
    .min(0)
    .max(1_099_511_627_776)
    .default(2 * 1_073_741_824),
});

/** How ingest behaves; none of these changes a result, only when and how it is reached. Ages and sizes: architecture.md "Storage details". */
export type IngestSettings = z.infer<typeof ingestSettingsSchema>;

/** Schema of {@link LakeSettings}. */
export const lakeSettingsSchema = z.strictObject({
  liveBatchMs: z.int().min(10).max(10_000).default(200),
  liveBatchRecords: z.int().min(1).max(10_000).default(1_000),
  catchUpRecords: z.int().min(100).max(100_000).default(10_000),
  sealRows: z.int().min(10).max(1_000_000).default(20_000),
  sealAgeMs: z.int().min(100).max(86_400_000).default(600_000),
  keepAllMs: z.int().min(0).max(86_400_000).default(900_000),
  keepAllSnapshots: z.int().min(1).max(1_000_000).default(5_000),
  keepAllBytes: z
    .int()
    .min(1_048_576)
    .max(10_737_418_240)
    .default(150 * 1_048_576),
  // 15 minutes of a feed five times as busy as Wikimedia's; reached only while catching up.
  keepAllRecords: z.int().min(1).max(1_000_000_000).default(200_000),
  unlinkDelayMs: z.int().min(0).max(86_400_000).default(900_000),
});

/** How the lake is written and kept (architecture.md "Hot rows and seal points"); none of these changes what a snapshot says. */
export type LakeSettings = z.infer<typeof lakeSettingsSchema>;

/** Schema of everything a user may wish for in `workspace/settings.json`. */
export const settingsSchema = z.strictObject({
  result: resultSettingsSchema.prefault({}),
  ingest: ingestSettingsSchema.prefault({}),
  lake: lakeSettingsSchema.prefault({}),
});

/** The whole wish; the log says what is in force. */
export type Settings = z.infer<typeof settingsSchema>;

/** Defaults of every setting. */
export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});
