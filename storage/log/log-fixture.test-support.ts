import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Offset } from "../model/brand.ts";
import { NO_OFFSET, toOffset, toSourceName } from "../model/brand.ts";
import type { LogReader } from "../model/log.ts";
import type { AppendRecord, LogRecord } from "../model/record.ts";
import type { OpenedLogWriter, OpenLogWriterOptions } from "./log-writer.ts";
import { NEW_LAKE, openLogWriter } from "./log-writer.ts";
import { openLogReader } from "./log-reader.ts";

type FixtureOptions = Partial<OpenLogWriterOptions> & { readonly checkpoint?: Offset };

/** A log in a folder of its own; everything opened through it is closed, and the folder removed, by `dispose`. */
export class LogFixture {
  readonly root = mkdtempSync(join(tmpdir(), "highwater-log-"));
  readonly folder = join(this.root, "log", "demo");
  readonly quarantine = join(this.root, "quarantine");
  readonly source = toSourceName("demo");
  nowMs = 1_800_000_000_000;
  readonly #open: { close: () => void }[] = [];

  writer({ checkpoint = NO_OFFSET, ...options }: FixtureOptions = {}): OpenedLogWriter {
    const writer = openLogWriter({
      folder: this.folder,
      source: this.source,
      quarantine: this.quarantine,
      lake: () => ({ ...NEW_LAKE, checkpoint }),
      settings: null,
      limits: { segmentMaxBytes: 64 * 1_048_576, segmentMaxAgeMs: 3_600_000 },
      clock: { nowMs: () => this.nowMs, monotonicMs: () => this.nowMs },
      ...options,
    });
    this.#open.push(writer);
    return writer;
  }

  reader(folder = this.folder): LogReader {
    const reader = openLogReader({ folder, source: this.source });
    this.#open.push(reader);
    return reader;
  }

  dispose(): void {
    for (const handle of this.#open) handle.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A record of kind event whose bytes are `text`. */
export function event(text: string | Uint8Array, receivedTimeMs = 1_800_000_000_000): AppendRecord {
  return {
    kind: "event",
    stream: "message",
    sourceId: `id-of-${typeof text === "string" ? text : text.length}`,
    receivedTimeMs,
    serverOffsetMs: null,
    data: typeof text === "string" ? new TextEncoder().encode(text) : text,
    detail: null,
  };
}

/** Events `prefix1` … `prefix<count>`. */
export function events(count: number, prefix = "e", receivedTimeMs?: number): readonly AppendRecord[] {
  return Array.from({ length: count }, (_, index) => event(`${prefix}${index + 1}`, receivedTimeMs));
}

/** Everything from `from` to the head, read in small steps so that limits are crossed too. */
export function readAll(reader: LogReader, from: Offset = reader.tail(), step = 7): readonly LogRecord[] {
  const records: LogRecord[] = [];
  for (let next = from; next <= reader.head();) {
    const read = reader.read(next, step, 1_000_000);
    records.push(...read.records);
    next = toOffset(read.toOffset + 1);
  }
  return records;
}

/** Data as text. */
export function textOf(record: LogRecord | undefined): string | null {
  return record === undefined ? null : new TextDecoder().decode(record.data);
}
