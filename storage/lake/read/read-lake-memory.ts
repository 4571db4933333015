import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { z } from "zod";
import { NO_OFFSET, type Offset, type SourceName, toOffset } from "../../model/brand.ts";
import { toLakeError } from "../catalog/sqlite-errors.ts";
import { BUSY_TIMEOUT_MS } from "../catalog/open-catalog.ts";

/** What the lake can tell about a source when its log is gone. */
export type LakeMemory = {
  /** 0 where there is no catalog, or none of this source. */
  readonly checkpoint: Offset;
  /** The source's own id of the newest record up to the checkpoint; null without one. */
  readonly sourceCursor: string | null;
  /** Largest event time of an accepted record, ms; null without one. */
  readonly maxEventTimeMs: number | null;
  /** Settings in force at the checkpoint, JSON; null where nothing was committed by a build that keeps them. */
  readonly settings: string | null;
};

const NO_MEMORY: LakeMemory = {
  checkpoint: NO_OFFSET,
  sourceCursor: null,
  maxEventTimeMs: null,
  settings: null,
};

const stateRow = z
  .object({
    checkpoint: z.int().min(0).transform(toOffset),
    source_cursor: z.string().nullable(),
    max_event_time_us: z.int().nullable(),
    extra: z.string(),
  })
  .transform((row): LakeMemory => ({
    checkpoint: row.checkpoint,
    sourceCursor: row.source_cursor,
    maxEventTimeMs: row.max_event_time_us === null ? null : Math.floor(row.max_event_time_us / 1_000),
    settings: settingsIn(row.extra),
  }));

/**
 * Checkpoint, source cursor and settings of a source as the catalog has them now. The ingest worker asks when it opens
 * its log: an offset up to the checkpoint must never be given again, also when the log lost its tail, and a log that is
 * lost altogether goes on from this cursor under these settings. Errors: `catalog-held`, `store-unreadable`.
 */
export function readLakeMemory(catalogPath: string, source: SourceName): LakeMemory {
  if (!existsSync(catalogPath)) return NO_MEMORY;
  try {
    const database = new Database(catalogPath, {
      readonly: true,
      fileMustExist: true,
      timeout: BUSY_TIMEOUT_MS,
    });
    try {
      const hasState =
        database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'hw_state'").get() !== undefined;
      if (!hasState) return NO_MEMORY;
      const row: unknown = database
        .prepare("SELECT checkpoint, source_cursor, max_event_time_us, extra FROM hw_state WHERE source = ?")
        .get(source);
      return row === undefined ? NO_MEMORY : stateRow.parse(row);
    } finally {
      database.close();
    }
  } catch (error) {
    throw toLakeError(error, "reading what the lake knows of the log");
  }
}

function settingsIn(extra: string): string | null {
  const parsed = z.object({ settings: z.record(z.string(), z.unknown()) }).safeParse(JSON.parse(extra));
  return parsed.success ? JSON.stringify(parsed.data.settings) : null;
}
