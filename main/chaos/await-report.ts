import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { FailpointReport } from "#storage/model/failpoints.ts";

const schema = z.object({
  pid: z.int(),
  fromOffset: z.int().nullable(),
  toOffset: z.int().nullable(),
});

/** What a stopped worker says of itself. */
export type StoppedWorker = Pick<FailpointReport, "pid" | "fromOffset" | "toOffset">;

/** Often enough that waiting is no part of what is measured. */
const LOOK_EVERY_MS = 20;

/** Null while the file is not there or only half written; the next look sees it whole. */
function readReport(path: string): StoppedWorker | null {
  try {
    return schema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Waits until a worker stopped at its failpoint and said so; null where it did not within `limitMs`. */
export async function awaitReport(path: string, limitMs: number): Promise<StoppedWorker | null> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    const report = readReport(path);
    if (report !== null || performance.now() >= endMs) return report;
    await delay(LOOK_EVERY_MS);
  }
}
