import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const offset = z.int().nullable();
const schema = z.object({
  name: z.string(),
  pid: z.int(),
  hit: z.int(),
  fromOffset: offset,
  toOffset: offset,
});

/** What a worker wrote before it stopped for good at a failpoint. */
export type StoppedAt = z.infer<typeof schema>;

/** The report, once it is there whole; null before. */
export function readFailpointReport(path: string): StoppedAt | null {
  if (!existsSync(path)) return null;
  try {
    return schema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    // Half written: the next look sees it whole.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
