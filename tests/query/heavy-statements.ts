/** Statements that none of our machines ends in a minute, of every kind that DuckDB spends its time on. */
export const HEAVY_STATEMENTS: readonly (readonly [kind: string, text: string])[] = [
  [
    "cross join, counted",
    "SELECT count(*) FROM range(1000000000) a, range(1000) b WHERE (a.range ^ b.range) % 7 = 3",
  ],
  [
    "cross join of everything",
    "SELECT count(*) FROM silver.changes a, silver.changes b, silver.changes c WHERE a.title || b.title < c.title",
  ],
  [
    "cross join that gives rows",
    "SELECT a.title, b.title, c.title FROM silver.changes a, silver.changes b, silver.changes c",
  ],
  [
    "join with an inequality",
    "SELECT count(*) FROM silver.changes a JOIN range(30000000) b ON a.log_offset < b.range AND b.range % 3 < a.log_offset % 5",
  ],
  [
    "hash join that grows",
    "SELECT count(*) FROM range(300000) a JOIN range(300000) b ON a.range % 3 = b.range % 3 WHERE a.range * b.range % 7 = 1",
  ],
  [
    "recursive CTE",
    "WITH RECURSIVE r(n) AS (SELECT 1::HUGEINT UNION ALL SELECT n + 1 FROM r WHERE n < 100000000) SELECT max(n) FROM r",
  ],
  [
    "recursive CTE that doubles",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r, range(2) WHERE n < 40) SELECT count(*) FROM r",
  ],
  ["big sort of numbers", "SELECT * FROM range(400000000) t(i) ORDER BY hash(i)"],
  ["big sort of texts", "SELECT md5(i::VARCHAR) AS m FROM range(60000000) t(i) ORDER BY m"],
  [
    "regex over everything",
    "SELECT count(*) FROM bronze.recentchange r, range(20000) WHERE regexp_matches(r.raw || range, '(a+)+b.*(c|d|e)*f$')",
  ],
  [
    "regex that replaces",
    "SELECT sum(length(regexp_replace(r.raw::VARCHAR || i, '[a-z]+', 'x', 'g'))) FROM bronze.recentchange r, range(20000) t(i)",
  ],
  ["grouping by many keys", "SELECT i % 50000000, count(*) FROM range(2000000000) t(i) GROUP BY ALL"],
  ["distinct of texts", "SELECT count(DISTINCT md5(i::VARCHAR)) FROM range(500000000) t(i)"],
  [
    "window over everything",
    "SELECT max(s) FROM (SELECT sum(hash(i) % 10) OVER (ORDER BY hash(i)) AS s FROM range(80000000) t(i))",
  ],
  [
    "quantiles",
    "SELECT quantile_cont(hash(i)::DOUBLE, 0.5), mode(hash(i) % 100000) FROM range(600000000) t(i)",
  ],
  [
    "lists and lambdas",
    "SELECT max(list_sum(list_transform(range(1000), lambda x: x * i % 7))) FROM range(10000000) t(i)",
  ],
  [
    "JSON of everything",
    "SELECT count(DISTINCT json_extract_string(r.raw, '$.meta.id') || i) FROM bronze.recentchange r, range(100000) t(i)",
  ],
  ["texts that grow", "SELECT max(length(repeat(md5(i::VARCHAR), 1000))) FROM range(20000000) t(i)"],
  [
    "edit distances",
    "SELECT max(levenshtein(a.title, b.title)) FROM silver.changes a, silver.changes b, range(100)",
  ],
  ["rows without end", "SELECT i, md5(i::VARCHAR) FROM range(3000000000) t(i)"],
];

/** One function on one huge value: DuckDB cannot be interrupted inside. */
export const UNINTERRUPTIBLE_STATEMENTS: readonly (readonly [kind: string, text: string])[] = [
  ["an edit distance of two texts", "SELECT levenshtein(repeat('a', 200000), repeat('b', 200000))"],
  ["a sort of one list", "SELECT len(list_sort(list_transform(range(30000000), lambda x: hash(x))))"],
];
