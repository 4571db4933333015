import { bronzeTable } from "#pipeline/bronze/bronze-table.ts";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openLakeReader } from "#storage/lake/read/lake-reader.ts";
import { answer, quantile } from "./answer.ts";
import type { CommitPoint } from "./contract.ts";

const ALL = 10_000_000;

/** Every bronze record of a live run against the commit that brought it: exact, where telemetry only samples. */
await answer("freshness", async ({ root, source, skipRecords }) => {
  const folder = dataFolderAt(root);
  const reader = openLakeReader({
    catalogPath: folder.catalog,
    lakeData: folder.lakeData,
    tempFolder: folder.tmp,
  });
  try {
    const commits = reader
      .snapshots(ALL)
      .flatMap(({ kind, source: from, fromOffset, toOffset, commitTimeUs }) =>
        kind === "commit" && from === source && fromOffset !== null && toOffset !== null
          ? [{ fromOffset, toOffset, commitTimeMs: commitTimeUs / 1_000 }]
          : [],
      )
      .toReversed();
    const waits: number[] = [];
    for await (const batch of reader.scan(bronzeTable, { columns: ["log_offset", "received_time"] })) {
      const [offsets, received] = batch.columns;
      for (let row = 0; row < batch.rowCount; row += 1) {
        const [offset, receivedUs] = [offsets?.[row], received?.[row]];
        if (typeof offset !== "number" || typeof receivedUs !== "number")
          throw new Error("bronze has other columns");
        if (offset > skipRecords) waits.push(commitOf(commits, offset).commitTimeMs - receivedUs / 1_000);
      }
    }
    return { records: waits.length, p50Ms: quantile(waits, 0.5), p99Ms: quantile(waits, 0.99) };
  } finally {
    await reader.close();
  }
});

/** Commits are in offset order and without a hole. */
function commitOf(commits: readonly CommitPoint[], offset: number): CommitPoint {
  let [low, high] = [0, commits.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((commits[middle]?.toOffset ?? 0) >= offset) high = middle;
    else low = middle + 1;
  }
  const commit = commits[low];
  if (commit === undefined || offset < commit.fromOffset || offset > commit.toOffset) {
    throw new Error(`no kept commit brought offset ${offset}`);
  }
  return commit;
}
