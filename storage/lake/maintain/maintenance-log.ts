import type { MaintenanceResult } from "../../model/lake.ts";
import type { CatalogDatabase } from "../catalog/open-catalog.ts";

const KEPT_ENTRIES = 1_000;

/** Adds an entry to the catalog's maintenance log, which keeps the newest 1,000. */
export function recordMaintenance(
  database: CatalogDatabase,
  nowMs: number,
  result: MaintenanceResult,
  detail: string,
): void {
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO hw_maintenance (time_ms, did, snapshot_id, rows, files, bytes, detail)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(Math.round(nowMs), result.did, result.snapshotId, result.rows, result.files, result.bytes, detail);
  database.prepare("DELETE FROM hw_maintenance WHERE id <= ?").run(Number(lastInsertRowid) - KEPT_ENTRIES);
}
