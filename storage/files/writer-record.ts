import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { readProcessStart } from "./process-start.ts";

const writerRecordSchema = z.object({
  pid: z.int().min(1),
  processStart: z.string(),
  /** Wall clock when the lock was taken, ISO 8601 UTC; for people. */
  heldSince: z.string(),
});

/** Who holds a writer lock, as its holder wrote it into `writer.json` beside the lock. */
export type WriterRecord = z.infer<typeof writerRecordSchema>;

/** Where the holder of `lockPath` leaves its record. */
export function writerRecordPath(lockPath: string): string {
  return join(dirname(lockPath), "writer.json");
}

/**
 * The record beside `lockPath`, or null where there is none that can be read. Never opens the lock itself. A record
 * outlives its process: ask {@link isWriterAlive}.
 */
export function readWriterRecord(lockPath: string): WriterRecord | null {
  try {
    const parsed = writerRecordSchema.safeParse(JSON.parse(readFileSync(writerRecordPath(lockPath), "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    // Missing or half-written by hand: the lock decides, the record only names.
    return null;
  }
}

/** True while the very process of the record lives: same pid and same start. Only then may it be killed. */
export function isWriterAlive(record: WriterRecord): boolean {
  return readProcessStart(record.pid) === record.processStart;
}
