import { join } from "node:path";
import { silverTable } from "#pipeline/silver/silver-table.ts";
import { openDuckDb } from "#storage/duckdb/open-duckdb.ts";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openLakeCatalog } from "#storage/lake/read/lake-catalog.ts";
import { qualifiedName } from "#storage/model/table.ts";
import { DEFAULT_QUERY_LIMITS } from "#storage/query/query-limits.ts";
import { openQuerySession } from "#storage/query/query-session.ts";
import { answer, quantile } from "./answer.ts";

const RUNS = 5;
const LIMIT = 1_000;

const QUERIES = [
  { name: "count", sql: (t: string) => `SELECT count(*) FROM ${t}` },
  {
    name: "per-wiki sum",
    sql: (t: string) => `SELECT wiki, sum(bytes_changed) FROM ${t} GROUP BY wiki ORDER BY wiki`,
  },
  {
    name: "last hour per minute",
    sql: (t: string) =>
      `SELECT date_trunc('minute', event_time) AS minute, count(*) FROM ${t}
       WHERE event_time >= (SELECT max(event_time) FROM ${t}) - INTERVAL 1 HOUR GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "top pages",
    sql: (t: string) =>
      `SELECT wiki, title, count(*) AS edits FROM ${t} WHERE type IN ('edit', 'new')
       GROUP BY wiki, title ORDER BY edits DESC, wiki, title LIMIT 50`,
  },
] as const;

/** The console's own way to the silver table, beside DuckDB alone on the very same sealed files, with the same limits. */
await answer("queries", async ({ root }) => {
  const folder = dataFolderAt(root);
  const catalog = openLakeCatalog({ catalogPath: folder.catalog, lakeData: folder.lakeData });
  const at = catalog.latest();
  const files = catalog.files(catalog.table(silverTable, at), at).map(({ path }) => `'${path}'`);
  catalog.close();
  const session = openQuerySession({ folder });
  const duckdb = await openDuckDb({
    tempFolder: join(folder.tmp, "native"),
    tempLimitBytes: DEFAULT_QUERY_LIMITS.tempBytes,
    memoryLimitBytes: DEFAULT_QUERY_LIMITS.memoryBytes,
    threads: DEFAULT_QUERY_LIMITS.threads,
    allowedFolders: [folder.lakeData],
  });
  const connection = await duckdb.connect();
  const signal = new AbortController().signal;
  try {
    const native = `read_parquet([${files.join(", ")}])`;
    const times = [];
    for (const { name, sql } of QUERIES) {
      const ours = await medianMs(() =>
        session.sql({ text: sql(qualifiedName(silverTable)), asOf: null, limit: LIMIT }, signal),
      );
      const theirs = await medianMs(async () => (await connection.run(sql(native))).getRowsJson());
      times.push({ name, oursMs: ours, nativeMs: theirs });
    }
    return times;
  } finally {
    connection.closeSync();
    await duckdb.close();
    await session.close();
  }
});

/** The first run warms the file cache and, for ours, brings the hot rows; it does not count. */
async function medianMs(run: () => Promise<unknown>): Promise<number> {
  await run();
  const times: number[] = [];
  for (let index = 0; index < RUNS; index += 1) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return quantile(times, 0.5);
}
