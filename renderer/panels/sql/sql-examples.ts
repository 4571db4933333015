/** A statement to begin with. */
export type SqlExample = { readonly title: string; readonly text: string };

/** What people ask first; each runs on any lake of recentchange. */
export const SQL_EXAMPLES: readonly SqlExample[] = [
  {
    title: "Edits per minute, newest first",
    text: `SELECT window_start, sum(edits) AS edits, sum(bots) AS bots, bool_or(state = 'open') AS still_open
FROM gold.edits_per_minute
GROUP BY window_start
ORDER BY window_start DESC
LIMIT 60`,
  },
  {
    title: "Largest changes of the newest hour",
    text: `SELECT event_time, wiki, title, "user", bytes_changed
FROM silver.changes
WHERE event_time > (SELECT max(event_time) FROM silver.changes) - INTERVAL 1 HOUR
ORDER BY abs(bytes_changed) DESC NULLS LAST
LIMIT 50`,
  },
  {
    title: "Dead letters by rule and reason",
    text: `SELECT rule_id, reason_code, count(*) AS letters
FROM dead_letters
GROUP BY ALL
ORDER BY letters DESC`,
  },
  {
    title: "Late arrivals by wiki",
    text: `SELECT wiki, count(*) AS late
FROM late_arrivals
GROUP BY wiki
ORDER BY late DESC`,
  },
  { title: "Columns of silver.changes", text: "DESCRIBE silver.changes" },
];
