/** What each table is, in a sentence; the names are those of the lake. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  "bronze.recentchange":
    "Every valid record once, as it was received: source position, times and the raw JSON. Rows are never changed.",
  "silver.changes":
    "One typed row for each bronze row: wiki, title, user, bytes, the watermark at its offset, and whether it was late.",
  "gold.edits_per_minute":
    "Edits, new pages, bots, distinct users and bytes by wiki, for each minute of event time.",
  "gold.top_pages_5min":
    "The most edited pages of each five minutes of event time; ties by wiki, then title.",
  "gold.user_bytes_5s": "Bytes and titles of each user in windows of five seconds of event time.",
  "gold.lateness_histogram": "How late records came: the newest event time before them minus their own.",
  "main.dead_letters": "Records set aside, with the rule, the reason, a trace and their original bytes.",
  "main.discards": "Records that end in no other table: filtered, duplicate, repeated, or unreadable.",
  "main.control": "The log's own records: settings in force and notes.",
  "main.late_arrivals":
    "Records below the watermark at their own offset; they are in bronze and silver, too.",
};

/** A sentence about a table; empty for one that this build does not know. */
export function describeTable(name: string): string {
  return DESCRIPTIONS[name] ?? "";
}

/** Whether rows may change: only those of windows that are still open. */
export function describeKind(kind: "append" | "window"): string {
  return kind === "append" ? "append-only" : "windows";
}
