import { failpoint } from "../../failpoint/failpoint.ts";
import type { CommitInput } from "../../model/lake.ts";
import type { TableBatch } from "../../model/table.ts";
import type { CatalogSession } from "../catalog/catalog-session.ts";
import { toLakeError } from "../catalog/sqlite-errors.ts";
import { discardDataFiles, writeDataFile, type DataFile } from "./data-files.ts";

/** A commit whose Parquet files, if any, are durable. */
export type PreparedCommit = {
  readonly input: CommitInput;
  readonly files: readonly DataFile[];
  /** The appends that stay hot. */
  readonly hotAppends: readonly TableBatch[];
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
    return { input, files: [], hotAppends: input.appends };
  }
  const fileAppends = input.appends.filter((batch) => batch.rowCount >= MIN_FILE_ROWS);
  const hotAppends = input.appends.filter((batch) => batch.rowCount < MIN_FILE_ROWS);
  // Side by side: all are encoded first, then compressed and written while the caller decides the next batch.
  const written = await Promise.allSettled(
    fileAppends.map((batch) =>
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
  return { input, files, hotAppends };
}
