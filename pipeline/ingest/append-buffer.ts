import { AppError } from "#storage/model/errors.ts";
import type { AppendRecord } from "#storage/model/record.ts";

/** A record that waits to become durable, with the source's position behind it (null where ids make it). */
export type BufferedRecord = { readonly record: AppendRecord; readonly position: string | null };

/** Group commit and bound (settings.ts gives the values). */
export type BufferLimits = {
  readonly groupCommitMs: number;
  readonly groupCommitRecords: number;
  /** At this many bytes `room` makes the source wait; one chunk or frame may still come on top. */
  readonly bufferLimitBytes: number;
};

/** What the buffer works with. */
export type AppendBufferOptions = {
  readonly limits: () => BufferLimits;
  /** Makes a batch durable, in one transaction. A transient AppError means that nothing was written. */
  readonly write: (batch: readonly BufferedRecord[]) => void;
  /** The log cannot be written now (a transient error), or can again (null). Told once per change. */
  readonly onHeld: (error: AppError | null) => void;
  /** The log cannot be written at all: the worker has to end. */
  readonly onFatal: (error: unknown) => void;
};

/** First wait after a failed append, doubling up to the second: a freed disk is used within 5 s. */
const RETRY_MIN_MS = 250;
const RETRY_MAX_MS = 5_000;
/** What a record weighs besides its bytes: object, strings, array slots. */
const RECORD_OVERHEAD_BYTES = 200;

/**
 * Gathers records until there are enough or the oldest waited long enough, then writes them in one transaction.
 * Full (or held by a full disk, a held file): keeps everything, makes the source wait, tries again from a timer.
 * Nothing is ever dropped here.
 */
export class AppendBuffer {
  readonly #options: AppendBufferOptions;
  #batch: BufferedRecord[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #held: AppError | null = null;
  #retryMs = RETRY_MIN_MS;
  #waiting: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;
  #isClosed = false;

  constructor(options: AppendBufferOptions) {
    this.#options = options;
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes a record; writes at once when the group is full. */
  add(item: BufferedRecord): void {
    this.#batch.push(item);
    this.#bytes += item.record.data.length + RECORD_OVERHEAD_BYTES;
    if (this.#held !== null) return;
    if (this.#batch.length >= this.#options.limits().groupCommitRecords) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), this.#options.limits().groupCommitMs);
  }

  /** Null while there is room, else a promise of it. */
  room(): Promise<void> | null {
    if (!this.#isFull()) return null;
    this.#waiting ??= Promise.withResolvers<void>();
    return this.#waiting.promise;
  }

  /** Writes what waits. True when nothing waits any more. */
  flush(): boolean {
    this.#clearTimer();
    if (this.#isClosed) return this.#batch.length === 0;
    if (this.#batch.length > 0 && !this.#tryWrite()) return false;
    if (this.#held !== null) this.#tellHeld(null);
    this.#retryMs = RETRY_MIN_MS;
    this.#makeRoom();
    return true;
  }

  /** Tries to write what waits, then stops for good. False: some could not be written; resuming brings them again. */
  close(): boolean {
    const isEmpty = this.flush();
    this.#isClosed = true;
    this.#clearTimer();
    this.#waiting?.resolve();
    return isEmpty;
  }

  #isFull(): boolean {
    return this.#held !== null || this.#bytes >= this.#options.limits().bufferLimitBytes;
  }

  #tryWrite(): boolean {
    try {
      this.#options.write(this.#batch);
    } catch (error) {
      if (error instanceof AppError && error.kind === "transient") this.#hold(error);
      else {
        this.#isClosed = true;
        this.#options.onFatal(error);
      }
      return false;
    }
    this.#batch = [];
    this.#bytes = 0;
    return true;
  }

  #hold(error: AppError): void {
    if (this.#held?.code !== error.code) this.#tellHeld(error);
    this.#timer = setTimeout(() => this.flush(), this.#retryMs);
    this.#retryMs = Math.min(RETRY_MAX_MS, this.#retryMs * 2);
  }

  #tellHeld(error: AppError | null): void {
    this.#held = error;
    this.#options.onHeld(error);
  }

  #makeRoom(): void {
    if (this.#isFull()) return;
    this.#waiting?.resolve();
    this.#waiting = null;
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
