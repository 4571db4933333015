/** When a changed setting takes effect. `offset`: at one offset of the log, which is recorded; earlier records keep the old one. */
export type SettingEffect = "offset" | "at-once" | "next-connection" | "next-start";

/** How a value is typed and shown. Durations are ms, sizes bytes. */
export type SettingKind = "duration" | "count" | "bytes" | "text" | "rules";

/** What a person needs to know of one setting. */
export type SettingText = {
  /** Place in settings.json, dots between: `result.allowedLatenessMs`. */
  readonly path: string;
  readonly group: "Results" | "Source" | "Log" | "Lake";
  readonly title: string;
  readonly description: string;
  readonly kind: SettingKind;
  readonly effect: SettingEffect;
};

/** A setting with its bounds and its default, as this build has them. */
export type SettingField = SettingText & {
  readonly min: number | null;
  readonly max: number | null;
  readonly defaultValue: unknown;
};

type Line = readonly [
  path: string,
  title: string,
  kind: SettingKind,
  effect: SettingEffect,
  description: string,
];

const RESULTS: readonly Line[] = [
  [
    "allowedLatenessMs",
    "Allowed lateness",
    "duration",
    "offset",
    "How far behind the newest event time a record may be before it counts as late. Windows settle when the watermark passes them.",
  ],
  [
    "dedupHorizonMs",
    "Dedup horizon",
    "duration",
    "offset",
    "How long (in event time) an id is remembered; a repeat beyond it is let through and counted.",
  ],
  [
    "dedupMaxIds",
    "Ids held at most",
    "count",
    "offset",
    "Bound of the memory for ids; when it is reached, the oldest are let go and that is counted.",
  ],
  [
    "futureToleranceMs",
    "Future tolerance",
    "duration",
    "offset",
    "How far ahead of both clocks an event time may be; beyond it the record is a dead letter and moves no watermark.",
  ],
  [
    "disabledRules",
    "Rules switched off",
    "rules",
    "offset",
    "Records that break a rule that is off are taken as valid, where bronze can hold them.",
  ],
  [
    "windows.editsPerMinuteMs",
    "Window of edits",
    "duration",
    "offset",
    "Length of the windows of gold.edits_per_minute.",
  ],
  [
    "windows.topPagesMs",
    "Window of pages",
    "duration",
    "offset",
    "Length of the windows of gold.top_pages_5min.",
  ],
  [
    "windows.userBytesMs",
    "Window of users",
    "duration",
    "offset",
    "Length of the windows of gold.user_bytes_5s.",
  ],
  [
    "windows.latenessHistogramMs",
    "Window of lateness",
    "duration",
    "offset",
    "Length of the windows of gold.lateness_histogram.",
  ],
  [
    "ruleSetVersion",
    "Rule set",
    "count",
    "offset",
    "Version of the rules, kept with each record's settings; this build knows one.",
  ],
];

const SOURCE: readonly Line[] = [
  [
    "userAgentContact",
    "Contact in the User-Agent",
    "text",
    "next-connection",
    "An address or page by which the owner of the feed can reach you. Wikimedia asks for it.",
  ],
  [
    "resumeRewindMs",
    "Rewind on resume",
    "duration",
    "next-connection",
    "How far before the stored position a connection asks from, so that nothing is missed; repeats are dropped by their id.",
  ],
  [
    "connectTimeoutMs",
    "Connect timeout",
    "duration",
    "next-connection",
    "A connection without an answer for so long is given up and tried again.",
  ],
  [
    "idleTimeoutMs",
    "Idle timeout",
    "duration",
    "next-connection",
    "A connection without a byte for so long is taken for dead.",
  ],
  [
    "backoffMinMs",
    "Shortest wait between tries",
    "duration",
    "at-once",
    "After a failure; it doubles with each one.",
  ],
  ["backoffMaxMs", "Longest wait between tries", "duration", "at-once", "Bound of the doubling."],
  [
    "frameCapBytes",
    "Largest frame",
    "bytes",
    "next-connection",
    "A larger frame is kept in part as oversized and ends as a dead letter.",
  ],
  [
    "oversizedKeepBytes",
    "Kept of an oversized frame",
    "bytes",
    "next-connection",
    "Bytes from its beginning that are kept.",
  ],
  [
    "bufferLimitBytes",
    "Buffer before the log",
    "bytes",
    "at-once",
    "When it is full, the connection is read no further until the log has caught up; nothing is dropped.",
  ],
];

const LOG: readonly Line[] = [
  [
    "groupCommitMs",
    "Group commit after",
    "duration",
    "at-once",
    "Records are made durable together, at the latest after this time.",
  ],
  ["groupCommitRecords", "Group commit of", "count", "at-once", "… or when so many wait."],
  [
    "segmentMaxBytes",
    "Size of a segment",
    "bytes",
    "next-start",
    "A larger segment of the log is closed and a new one begun.",
  ],
  ["segmentMaxAgeMs", "Age of a segment", "duration", "next-start", "An older one too."],
  [
    "logKeepMs",
    "Keep the log for",
    "duration",
    "at-once",
    "Behind the last seal; never what the lake does not hold yet.",
  ],
  ["logKeepBytes", "Keep the log up to", "bytes", "at-once", "The same bound as a size."],
];

const LAKE: readonly Line[] = [
  [
    "liveBatchMs",
    "Commit every",
    "duration",
    "at-once",
    "While live: how long records are gathered before a commit.",
  ],
  [
    "liveBatchRecords",
    "Records of a live commit",
    "count",
    "at-once",
    "More than that is committed earlier.",
  ],
  [
    "catchUpRecords",
    "Records of a catching-up commit",
    "count",
    "at-once",
    "Larger commits are faster and hold results back longer.",
  ],
  ["sealRows", "Seal after rows", "count", "next-start", "So many hot rows are written to Parquet files."],
  ["sealAgeMs", "Seal after", "duration", "next-start", "… or when the oldest is so old."],
  [
    "keepAllMs",
    "Keep every snapshot for",
    "duration",
    "next-start",
    "Older ones are thinned out; what is pinned or leased stays.",
  ],
  ["keepAllSnapshots", "Keep every snapshot up to", "count", "next-start", "Bound of the same as a number."],
  [
    "keepAllBytes",
    "Catalog before thinning",
    "bytes",
    "next-start",
    "Bound of the same as the catalog's size.",
  ],
  [
    "keepAllRecords",
    "Records before thinning",
    "count",
    "next-start",
    "Bound of the same as records; reached only while catching up.",
  ],
  [
    "unlinkDelayMs",
    "Delete files after",
    "duration",
    "next-start",
    "Files that no snapshot names any more are deleted so much later, for readers that still hold them.",
  ],
];

function texts(group: SettingText["group"], prefix: string, lines: readonly Line[]): readonly SettingText[] {
  return lines.map(([path, title, kind, effect, description]) => ({
    path: `${prefix}.${path}`,
    group,
    title,
    description,
    kind,
    effect,
  }));
}

/** Every setting, in the order of the form. A test holds the list equal to the schema. */
export const SETTING_TEXTS: readonly SettingText[] = [
  ...texts("Results", "result", RESULTS),
  ...texts("Source", "ingest", SOURCE),
  ...texts("Log", "ingest", LOG),
  ...texts("Lake", "lake", LAKE),
];

/** When a change takes effect, in words. */
export const EFFECT_WORDS: Readonly<Record<SettingEffect, string>> = {
  offset: "from one recorded offset on; earlier records keep the old value",
  "at-once": "at once",
  "next-connection": "with the next connection",
  "next-start": "at the next start of the app",
};
