import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { writeFileAtomic } from "#storage/files/write-file-atomic.ts";
import type { IngestTelemetry, PipelineTelemetry } from "#pipeline/protocol/telemetry.ts";

const count = z.int().min(0);
const lastSeenSchema = z.object({
  snapshotId: count,
  sources: z.record(z.string(), z.object({ checkpoint: count, head: count })),
});

/** Highest numbers that workers told of as durable, as they stand in `workspace/last-seen.json`. They never fall. */
export type LastSeen = z.infer<typeof lastSeenSchema>;

const NOTHING: LastSeen = { snapshotId: 0, sources: {} };

/** Written this often at most: what it misses is a few seconds of commits. */
const SAVE_EVERY_MS = 2_000;
/** A busy disk must not hold up the end of the app: what is not written by then is a few commits less to compare with. */
const CLOSE_LIMIT_MS = 1_000;

/** What was seen before. Nothing where the file is missing or cannot be read: it only ever adds to what stores know themselves. */
export function readLastSeen(path: string): LastSeen {
  try {
    const parsed = lastSeenSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return parsed.success ? parsed.data : NOTHING;
  } catch {
    return NOTHING;
  }
}

/** What is known after one more frame. */
export function nextLastSeen(seen: LastSeen, telemetry: IngestTelemetry | PipelineTelemetry): LastSeen {
  const { source } = telemetry;
  const before = seen.sources[source] ?? { checkpoint: 0, head: 0 };
  const now =
    telemetry.worker === "ingest"
      ? { ...before, head: Math.max(before.head, telemetry.head) }
      : { ...before, checkpoint: Math.max(before.checkpoint, telemetry.checkpoint) };
  const snapshotId =
    telemetry.worker === "pipeline" ? Math.max(seen.snapshotId, telemetry.snapshotId) : seen.snapshotId;
  const isSame =
    snapshotId === seen.snapshotId && now.head === before.head && now.checkpoint === before.checkpoint;
  return isSame ? seen : { snapshotId, sources: { ...seen.sources, [source]: now } };
}

/**
 * Keeps the file, so that the next start can tell a catalog or a log that went back from one that never had more. Lifetime:
 * one run on a folder; {@link close} writes what is still to be written.
 */
export class LastSeenKeeper {
  readonly #path: string;
  readonly #onFail: (error: unknown) => void;
  #seen: LastSeen;
  #saved: LastSeen;
  #timer: NodeJS.Timeout | null = null;
  #saving: Promise<void> = Promise.resolve();

  constructor(path: string, onFail: (error: unknown) => void) {
    this.#path = path;
    this.#onFail = onFail;
    this.#seen = readLastSeen(path);
    this.#saved = this.#seen;
  }

  get seen(): LastSeen {
    return this.#seen;
  }

  note(telemetry: IngestTelemetry | PipelineTelemetry): void {
    this.#seen = nextLastSeen(this.#seen, telemetry);
    if (this.#seen === this.#saved) return;
    this.#timer ??= setTimeout(() => this.#save(), SAVE_EVERY_MS);
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#seen !== this.#saved) this.#save();
    await Promise.race([this.#saving, delay(CLOSE_LIMIT_MS, undefined, { ref: false })]);
  }

  #save(): void {
    this.#timer = null;
    const seen = this.#seen;
    this.#saved = seen;
    // A file that cannot be written costs a notice at the next start, never the run.
    this.#saving = this.#saving
      .then(() => writeFileAtomic(this.#path, `${JSON.stringify(seen)}\n`))
      .catch((error: unknown) => this.#onFail(error));
  }
}
