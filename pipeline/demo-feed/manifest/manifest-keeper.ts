import { type ManifestState, writeManifest } from "./write-manifest.ts";

/** The manifest on disk is at most this old, unless writing it takes long. */
const INTERVAL_MS = 5000;
/** Writing takes at most a twentieth of the time. */
const SHARE_OF_TIME = 20;

/** Keeps the manifest on disk: at intervals while the feed runs, and a last, exact one at its end. One write at a time. */
export class ManifestKeeper {
  readonly #path: string;
  readonly #state: (isComplete: boolean) => ManifestState;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, state: (isComplete: boolean) => ManifestState) {
    this.#path = path;
    this.#state = state;
    this.#schedule(INTERVAL_MS);
  }

  /** Writes now, behind a write that is under way. */
  write(): Promise<void> {
    return this.#write(false);
  }

  /** Writes the last manifest. Rejects when that fails; a failed write at an interval was only one chance less. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#write(true);
  }

  #write(isComplete: boolean): Promise<void> {
    const write = this.#writing.then(() => writeManifest(this.#path, this.#state(isComplete)));
    // The chain goes on behind a failed write; whoever asked for that write is told.
    this.#writing = write.catch(() => undefined);
    return write;
  }

  #schedule(afterMs: number): void {
    this.#timer = setTimeout(() => void this.#writeAtInterval(), afterMs);
    this.#timer.unref();
  }

  async #writeAtInterval(): Promise<void> {
    const begin = performance.now();
    // A full disk may have room again; the write at the end is the one that has to tell.
    await this.write().catch(() => undefined);
    if (this.#timer !== null)
      this.#schedule(Math.max(INTERVAL_MS, (performance.now() - begin) * SHARE_OF_TIME));
  }
}
