import { basename } from "node:path";
import type { SnapshotId } from "../../model/brand.ts";
import { OPEN_STATE } from "../catalog/lake-table.ts";
import { isOpenWindowsFile } from "../catalog/file-snapshots.ts";
import type { LakeCatalog } from "./lake-catalog.ts";
import type { ReadTable } from "./read-tables.ts";

/**
 * Rows of open windows that a table has at a snapshot: they wait for a newer event and may still change. They are hot, or at
 * a seal point in a file of their own. 0 for tables without windows.
 */
export function countOpenRows(catalog: LakeCatalog, table: ReadTable, at: SnapshotId): number {
  if (table.def.kind !== "window") return 0;
  const sealed = catalog
    .files(table, at)
    .reduce((sum, file) => (isOpenWindowsFile(basename(file.path)) ? sum + file.rows : sum), 0);
  return catalog.read("counting rows of open windows", () =>
    table.hotTables.reduce((sum, source) => {
      const count = catalog.database
        .prepare<[number, number, string], number>(
          `SELECT count(*) FROM ${source.name}
           WHERE begin_snapshot <= ? AND (end_snapshot IS NULL OR end_snapshot > ?) AND "state" = ?`,
        )
        .pluck()
        .get(at, at, OPEN_STATE);
      return sum + (count ?? 0);
    }, sealed),
  );
}
