import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { NO_OFFSET, type Offset, type SourceName, toOffset } from "../../model/brand.ts";
import { toLakeError } from "../catalog/sqlite-errors.ts";
import { BUSY_TIMEOUT_MS } from "../catalog/open-catalog.ts";

/**
 * The checkpoint of a source as the catalog has it now; 0 where there is no catalog, or none of this source. The ingest
 * worker asks when it opens its log: an offset up to the checkpoint must never be given again, also when the log lost
 * its tail. Errors: `catalog-held`, `store-unreadable`.
 */
export function readCheckpoint(catalogPath: string, source: SourceName): Offset {
  if (!existsSync(catalogPath)) return NO_OFFSET;
  try {
    const database = new Database(catalogPath, {
      readonly: true,
      fileMustExist: true,
      timeout: BUSY_TIMEOUT_MS,
    });
    try {
      const hasState =
        database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'hw_state'").get() !== undefined;
      if (!hasState) return NO_OFFSET;
      const query = database
        .prepare<[string], number>("SELECT checkpoint FROM hw_state WHERE source = ?")
        .pluck();
      return toOffset(query.get(source) ?? 0);
    } finally {
      database.close();
    }
  } catch (error) {
    throw toLakeError(error, "reading the checkpoint");
  }
}
