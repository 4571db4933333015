import { offsetAfter, toOffset, type Offset } from "#storage/model/brand.ts";
import type { Clock } from "#storage/model/clock.ts";
import type { LogWriter } from "#storage/model/log.ts";
import type { IngestSettings } from "#storage/model/settings.ts";
import { readLogUsage, type LogUsage } from "./log-usage.ts";

/** What the keeper of a source's log works with. */
export type LogKeeperOptions = {
  readonly writer: LogWriter;
  readonly logFolder: string;
  readonly settings: () => IngestSettings;
  readonly leasedFrom: () => Offset | null;
  readonly clock: Clock;
  readonly log: (level: "info" | "warn" | "error", message: string) => void;
};

/** Without news from the lake, age alone makes segments due; looked at this often. */
const RETENTION_MS = 60_000;
/** The folder's size is for the screen; read this often at most. */
const USAGE_MS = 5_000;

/** Retention and size of one source's log. Nothing is removed before the lake said how far it is sealed. */
export class LogKeeper {
  readonly #options: LogKeeperOptions;
  #sealedOffset: Offset | null = null;
  #isDue = false;
  #lastRetentionMs = 0;
  #usage: LogUsage | null = null;
  #usageMs = 0;

  constructor(options: LogKeeperOptions) {
    this.#options = options;
  }

  sealed(sealedOffset: Offset): void {
    if (this.#sealedOffset !== null && sealedOffset <= this.#sealedOffset) return;
    this.#sealedOffset = sealedOffset;
    this.#isDue = true;
  }

  /** Removes segments that are behind the seal point and behind every lease, and old or beyond the size. */
  applyRetention(): void {
    const { writer, settings, leasedFrom, clock, log } = this.#options;
    const now = clock.monotonicMs();
    if (this.#sealedOffset === null || (!this.#isDue && now - this.#lastRetentionMs < RETENTION_MS)) return;
    this.#isDue = false;
    this.#lastRetentionMs = now;
    const unsealed = offsetAfter(this.#sealedOffset);
    const keepFrom = toOffset(Math.min(unsealed, leasedFrom() ?? unsealed));
    const { logKeepMs: keepMs, logKeepBytes: keepBytes } = settings();
    const removed = writer.applyRetention({ keepFrom, keepMs, keepBytes, nowMs: clock.nowMs() });
    for (const { fromOffset, toOffset: last, bytes } of removed) {
      log(
        "info",
        `removed a segment of the log: offsets ${fromOffset} to ${last}, ${bytes} bytes, sealed in the lake`,
      );
    }
    if (removed.length > 0) this.#usage = null;
  }

  /** Size of the log, a few seconds old at most. */
  usage(): LogUsage {
    const now = this.#options.clock.monotonicMs();
    if (this.#usage === null || now - this.#usageMs >= USAGE_MS) {
      this.#usage = readLogUsage(this.#options.logFolder);
      this.#usageMs = now;
    }
    return this.#usage;
  }
}
