import { parseStoredSettings } from "#storage/log/settings-record.ts";
import type { SnapshotId, SourceName } from "#storage/model/brand.ts";
import type { LakeReader } from "#storage/model/lake.ts";
import { controlTable } from "../dead-letter/record-tables.ts";
import { optionalTextCell, rowsInOrder, textCell } from "./rows-in-order.ts";
import { SettingsHistory } from "./settings-history.ts";

/** Puts every settings record of `control` up to `toOffset` into `history`. */
export async function readSettings(
  reader: LakeReader,
  source: SourceName,
  toOffset: number,
  history = new SettingsHistory(),
  at?: SnapshotId,
): Promise<SettingsHistory> {
  const wanted = {
    source,
    columns: ["record_kind", "body"],
    fromOffset: 1,
    toOffset,
    ...(at === undefined ? {} : { at }),
  };
  for await (const rows of rowsInOrder(reader, controlTable, wanted)) {
    for (const { offset, cells } of rows) {
      const body = optionalTextCell(cells[1]);
      if (textCell(cells[0]) === "settings" && body !== null) history.put(offset, parseStoredSettings(body));
    }
  }
  return history;
}
