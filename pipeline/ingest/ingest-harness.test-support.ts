import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { openLogReader } from "#storage/log/log-reader.ts";
import { NEW_LAKE, openLogWriter } from "#storage/log/log-writer.ts";
import { NO_OFFSET, offsetAfter, toSourceName } from "#storage/model/brand.ts";
import { systemClock } from "#storage/model/clock.ts";
import type { LogWriter } from "#storage/model/log.ts";
import type { LogRecord } from "#storage/model/record.ts";
import {
  DEFAULT_SETTINGS,
  settingsSchema,
  type IngestSettings,
  type Settings,
} from "#storage/model/settings.ts";
import type { SourceSpec } from "../protocol/worker-messages.ts";
import { IngestLoop } from "./ingest-loop.ts";
import { sourceFor } from "./sources/registry.ts";

const SOURCE = toSourceName("test");

/** Limits of tests: what takes seconds or minutes in use takes milliseconds here. */
export const FAST: Partial<IngestSettings> = {
  backoffMinMs: 10,
  backoffMaxMs: 40,
  groupCommitMs: 5,
  connectTimeoutMs: 2_000,
  idleTimeoutMs: 5_000,
};

/** A running ingest with a real log in a temporary folder. Ended and removed with the running test. */
export type IngestHarness = {
  readonly loop: IngestLoop;
  readonly writer: LogWriter;
  readonly folder: string;
  readonly lines: readonly string[];
  /** Everything in the log, in order. */
  readonly records: () => readonly LogRecord[];
  /** Data of event and oversized records as text. */
  readonly texts: () => readonly string[];
  readonly stop: () => Promise<void>;
};

/** Options of {@link startIngest}; `wrapWriter` lets a test make the log fail. */
export type HarnessOptions = {
  readonly ingest?: Partial<IngestSettings>;
  readonly folder?: string;
  readonly wrapWriter?: (writer: LogWriter) => LogWriter;
};

/** A temporary folder that goes with the running test. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "highwater-ingest-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Settings for a test. */
export function settingsWith(ingest: Partial<IngestSettings>): Settings {
  return settingsSchema.parse({ ...DEFAULT_SETTINGS, ingest: { ...DEFAULT_SETTINGS.ingest, ...ingest } });
}

/** Starts ingest from `spec`. */
export function startIngest(spec: SourceSpec, options: HarnessOptions = {}): IngestHarness {
  const folder = options.folder ?? temporaryFolder();
  const settings = settingsWith({ ...FAST, ...options.ingest });
  const lines: string[] = [];
  const logFolder = join(folder, "log");
  const real = openLogWriter({
    folder: logFolder,
    source: SOURCE,
    quarantine: join(folder, "quarantine"),
    lake: () => NEW_LAKE,
    settings: null,
    limits: settings.ingest,
  });
  const writer = options.wrapWriter?.(real) ?? real;
  const loop = new IngestLoop({
    source: sourceFor(spec),
    spec,
    writer,
    logFolder,
    settings,
    leasedFrom: () => null,
    clock: systemClock,
    random: () => 0,
    log: (_level, message) => lines.push(message),
  });
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await loop.stop();
    real.close();
  };
  onTestFinished(stop);
  loop.finished.catch(() => undefined);
  loop.start();
  const records = (): readonly LogRecord[] => readLog(logFolder);
  const texts = (): readonly string[] =>
    records().flatMap(({ kind, data }) =>
      kind === "event" || kind === "oversized" ? [Buffer.from(data).toString("utf8")] : [],
    );
  return { loop, writer, folder, lines, records, texts, stop };
}

/** A source over HTTP. */
export function sseSpec(url: string): SourceSpec {
  return { kind: "sse", source: SOURCE, url, stream: "mediawiki.recentchange" };
}

/** A recording. */
export function fileSpec(path: string): SourceSpec {
  return { kind: "file", source: SOURCE, path };
}

/** Waits until `check` passes; the limit is for stalls only. */
export function eventually(check: () => void, timeout = 15_000): Promise<void> {
  return vi.waitFor(check, { timeout, interval: 10 });
}

function readLog(folder: string): readonly LogRecord[] {
  const reader = openLogReader({ folder, source: SOURCE });
  try {
    const all: LogRecord[] = [];
    for (let from = offsetAfter(NO_OFFSET); from <= reader.head();) {
      const read = reader.read(from, 5_000, 1_000_000_000);
      all.push(...read.records);
      if (read.toOffset < from) break;
      from = offsetAfter(read.toOffset);
    }
    return all;
  } finally {
    reader.close();
  }
}
