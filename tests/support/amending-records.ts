import { type SourceName } from "#storage/model/brand.ts";
import type { DataFolder } from "#storage/files/data-folder.ts";
import { NEW_LAKE, openLogWriter } from "#storage/log/log-writer.ts";
import { type AppendRecord, NO_INGEST_COUNTERS } from "#storage/model/record.ts";
import { bytesOf, type Dump, rowsOf } from "./dump-lake.ts";
import { fastSettings } from "./fast-settings.ts";

/** How many amending records are appended, in two runs with an event between them. */
const RECORDS = 12;

/**
 * Appends what only a later issue's redrive and a source's repair would: records of kind `repair` with new ids whose
 * windows are settled long ago, so that the pipeline must amend. They are copies of early events under ids of their own.
 */
export async function appendAmendingRecords(
  folder: DataFolder,
  source: SourceName,
  dump: Dump,
): Promise<readonly string[]> {
  const settled = rowsOf(dump, "bronze.recentchange")
    .toSorted((left, right) => Number(left["log_offset"]) - Number(right["log_offset"]))
    .slice(20, 20 + RECORDS + 1);
  const writer = openLogWriter({
    folder: folder.log(source),
    source,
    quarantine: folder.quarantine,
    lake: () => NEW_LAKE,
    settings: null,
    limits: fastSettings().ingest,
  });
  try {
    const ids: string[] = [];
    const records = settled.map((row, index): AppendRecord => {
      const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
      ids.push(id);
      const text = bytesOf(row).toString("utf8").replaceAll(String(row["id"]), id);
      return {
        kind: index === RECORDS / 2 ? "event" : "repair",
        stream: "message",
        sourceId: String(row["source_id"]),
        receivedTimeMs: Date.now(),
        serverOffsetMs: null,
        data: Buffer.from(text, "utf8"),
        detail: null,
      };
    });
    writer.append(records, writer.cursor(), NO_INGEST_COUNTERS);
    return ids;
  } finally {
    writer.close();
  }
}
