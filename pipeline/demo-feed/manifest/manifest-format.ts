import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { z } from "zod";
import { AppError } from "#storage/model/errors.ts";
import type { Flaw } from "../generate/event-kind.ts";

/** What became of a record at the source. `late` holds at the default lateness; `malformed` and `oversized` end as dead letters. */
const CLASSES = ["ok", "canary", "malformed", "late", "oversized"] as const;
const FLAWS = [
  "half-json",
  "not-an-object",
  "missing-meta-id",
  "bad-dt",
  "wrong-type",
  "bad-revision",
  "wiki-domain",
  "future-time",
  "negative-time",
] as const satisfies readonly Flaw[];

/** First line of a manifest: the options that decide the bytes, and whether the feed had stopped when it was written. */
const headerSchema = z.object({
  manifest: z.literal(1),
  complete: z.boolean(),
  /** False after a kill of the feed: the servings before it are not counted, so counts are lower bounds. */
  whole: z.boolean().default(true),
  seed: z.number(),
  startMs: z.number(),
  eventRate: z.number(),
  events: z.number().nullable(),
  faults: z.array(z.string()),
  /** Distinct events that exist, canaries not counted. */
  produced: z.number(),
  /** Distinct events that were served at least once, canaries not counted: what `run --events` counts. */
  distinctServed: z.number(),
});

/**
 * Every other line: a list, so that a million stay small. [k (null: canary), meta.id (null: the bytes have none), topic,
 * source offset (null: the bytes have none), class, flaw (null: none), times served in full, SHA-256 of the data bytes].
 */
const lineSchema = z.tuple([
  z.number().nullable(),
  z.string().nullable(),
  z.string(),
  z.number().nullable(),
  z.enum(CLASSES),
  z.enum(FLAWS).nullable(),
  z.number(),
  z.string(),
]);

/** The first line of a manifest. */
export type ManifestHeader = z.infer<typeof headerSchema>;

/** A line of a manifest as it is written. */
export type ManifestLine = z.infer<typeof lineSchema>;

/** One distinct record of the feed. */
export type ManifestEntry = {
  readonly k: number | null;
  readonly id: string | null;
  readonly topic: string;
  readonly offset: number | null;
  readonly class: (typeof CLASSES)[number];
  readonly flaw: Flaw | null;
  readonly served: number;
  readonly sha256: string;
};

/** A manifest on disk: its header at once, its entries one by one (nothing is kept). */
export type Manifest = {
  readonly header: ManifestHeader;
  readonly entries: () => AsyncGenerator<ManifestEntry>;
};

/** Opens a manifest. Rejects with `usage` where the file is none or cannot be read. */
export async function parseManifest(path: string): Promise<Manifest> {
  for await (const line of linesOf(path)) {
    return { header: parsed(headerSchema, line, path), entries: () => entriesOf(path) };
  }
  throw new AppError("usage", `${path} is empty, not a manifest of the demo feed`);
}

async function* entriesOf(path: string): AsyncGenerator<ManifestEntry> {
  let isHeader = true;
  for await (const line of linesOf(path)) {
    if (!isHeader) yield toEntry(parsed(lineSchema, line, path));
    isHeader = false;
  }
}

function toEntry([k, id, topic, offset, kind, flaw, served, sha256]: ManifestLine): ManifestEntry {
  return { k, id, topic, offset, class: kind, flaw, served, sha256 };
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const input = createReadStream(path, "utf8");
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw new AppError("usage", `the manifest ${path} cannot be read`, { cause: error });
  } finally {
    input.destroy();
  }
}

function parsed<T>(schema: z.ZodType<T>, line: string, path: string): T {
  try {
    return schema.parse(JSON.parse(line));
  } catch (error) {
    throw new AppError("usage", `${path} is not a manifest of the demo feed: ${line.slice(0, 80)}`, {
      cause: error,
    });
  }
}
