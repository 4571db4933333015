import { failpoint } from "../../failpoint/failpoint.ts";
import type { CommitInput } from "../../model/lake.ts";
import type { TableBatch } from "../../model/table.ts";
import type { CatalogSession } from "../catalog/catalog-session.ts";
import { toLakeError } from "../catalog/sqlite-errors.ts";
import { splitSettled } from "./settled-rows.ts";
import { discardDataFiles, writeDataFile, type DataFile } from "./data-files.ts";

/** A commit whose Parquet files, if any, are durable. */
export type PreparedCommit = {
  readonly input: CommitInput;
  readonly files: readonly DataFile[];
  /** The appends that stay hot. */
  readonly hotAppends: readonly TableBatch[];
  /** The upserts that stay hot. */
  readonly hotUpserts: readonly TableBatch[];
  /** Rows of windows that settle now and stand in `files`: what is hot of them ends. */
  readonly settled: readonly TableBatch[];
};

/** A catching-up batch below this many rows is not worth its files: a live commit of it takes under 50 ms. */
const MIN_BATCH_ROWS = 2_000;

/** Tables that get fewer rows than this stay hot until the next seal, which writes them in larger files. */
const MIN_FILE_ROWS = 500;

/**
 * Writes the Parquet files of a catching-up batch; of a live one nothing. Touches no catalog row, so it may run while
 * earlier batches commit. Throws `disk-full`; then no file is left behind.
 */
export async function prepareFiles(session: CatalogSession, input: CommitInput): Promise<PreparedCommit> {
  const rows = input.appends.reduce((sum, batch) => sum + batch.rowCount, 0);
  if (input.mode === "live" || rows < MIN_BATCH_ROWS) {
    return { input, files: [], hotAppends: input.appends, hotUpserts: input.upserts, settled: [] };
  }
  const fileAppends = input.appends.filter((batch) => batch.rowCount >= MIN_FILE_ROWS);
  const hotAppends = input.appends.filter((batch) => batch.rowCount < MIN_FILE_ROWS);
  const { settled, hotUpserts } = takeSettled(session, input.upserts);
  // Side by side: all are encoded first, then compressed and written while the caller decides the next batch.
  const written = await Promise.allSettled(
    [...fileAppends, ...settled].map((batch) =>
      writeDataFile(session.options.lakeData, session.hot(batch.table).table, [batch], {
        kind: "commit",
        offsets: { [input.source]: [input.fromOffset, input.toOffset] },
        snapshotId: session.counters.snapshotId + 1,
        replaces: [],
      }),
    ),
  );
  const files = written.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = written.find((result) => result.status === "rejected");
  if (failed !== undefined) {
    await discardDataFiles(files);
    throw toLakeError(failed.reason, "writing Parquet");
  }
  if (files.length > 0) failpoint("parquet-before-commit");
  return { input, files, hotAppends, hotUpserts, settled };
}

/**
 * Rows that settle go to Parquet for good: as hot rows they made a seal due every six batches of ten thousand events, and
 * each seal ends and begins again all rows of open windows (85,000 of them, 1.6 versions of each kept).
 */
function takeSettled(
  session: CatalogSession,
  upserts: readonly TableBatch[],
): Pick<PreparedCommit, "settled" | "hotUpserts"> {
  const settled: TableBatch[] = [];
  const hotUpserts: TableBatch[] = [];
  for (const batch of upserts) {
    const split = splitSettled(session.hot(batch.table).table, batch);
    if (split.settled.rowCount < MIN_FILE_ROWS) hotUpserts.push(batch);
    else {
      settled.push(split.settled);
      hotUpserts.push(split.open);
    }
  }
  return { settled, hotUpserts };
}
