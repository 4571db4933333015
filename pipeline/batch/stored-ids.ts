import type { SourceName } from "#storage/model/brand.ts";
import type { LakeReader } from "#storage/model/lake.ts";
import type { LogRecord } from "#storage/model/record.ts";
import { bronzeTable } from "../bronze/bronze-table.ts";
import { decode } from "../decode/decode.ts";
import { isJsonObject } from "../protocol/change.ts";
import type { StoredIds } from "./decide-record.ts";
import { textCell } from "./rows-in-order.ts";

/** Those ids of redrive and repair records that bronze holds, however long ago: one pass over its id column. */
export async function findStoredIds(
  lake: LakeReader,
  source: SourceName,
  records: readonly LogRecord[],
): Promise<StoredIds> {
  const wanted = new Set(records.map(idOf));
  const found: StoredIds = new Set();
  for await (const batch of lake.scan(bronzeTable, { source, columns: ["id"] })) {
    for (const cell of batch.columns[0] ?? []) {
      const id = textCell(cell);
      if (wanted.has(id)) found.add(id);
    }
  }
  return found;
}

function idOf(record: LogRecord): string | null {
  const decoded = decode(record.data);
  const meta = decoded.readable ? decoded.value["meta"] : undefined;
  const id = isJsonObject(meta) ? meta["id"] : undefined;
  return typeof id === "string" ? id : null;
}
