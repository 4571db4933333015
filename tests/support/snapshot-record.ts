import type { SnapshotId } from "#storage/model/brand.ts";
import { AppError } from "#storage/model/errors.ts";
import type { DataFolder } from "#storage/files/data-folder.ts";
import { addHash, batchHash } from "#storage/lake/hash/row-hash.ts";
import type { LakeReader } from "#storage/model/lake.ts";
import { qualifiedName } from "#storage/model/table.ts";
import { openReader } from "./dump-lake.ts";

type Hashes = ReadonlyMap<string, bigint>;

/** Every how many newly seen snapshots all rows are read at once, so that the record itself is proven. */
const READ_ROWS_EACH = 10;
const POLL_MS = 80;

/**
 * A running record of what every snapshot said when it was published (invariant I3), kept by a reader of its own while the
 * workers are being killed. `checkKept` reads every kept snapshot again, row by row.
 */
export class SnapshotRecord {
  readonly #folder: DataFolder;
  readonly #hashes = new Map<number, Hashes>();
  readonly #times = new Map<number, number>();
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<void> = Promise.resolve();
  #failure: Error | null = null;
  #seen = 0;

  constructor(folder: DataFolder) {
    this.#folder = folder;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#work = this.#work
        .then(() => this.#look())
        .catch((error: unknown) => {
          this.#failure ??= error instanceof Error ? error : new Error(String(error));
        });
    }, POLL_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#work;
    if (this.#failure !== null) throw this.#failure;
  }

  /** Looks a last time, then reads every kept snapshot again; returns how many were recorded, and kept and equal. */
  async checkKept(): Promise<{ recorded: number; kept: number }> {
    await this.stop();
    await this.#look();
    const reader = openReader(this.#folder);
    try {
      let kept = 0;
      for (const { snapshotId } of reader.snapshots(100_000)) {
        const then = this.#hashes.get(snapshotId);
        if (then === undefined) continue;
        compare(snapshotId, then, await readAllHashes(reader, snapshotId));
        kept += 1;
      }
      return { recorded: this.#hashes.size, kept };
    } finally {
      await reader.close();
    }
  }

  async #look(): Promise<void> {
    let reader: LakeReader;
    try {
      reader = openReader(this.#folder);
    } catch (error) {
      if (isPassing(error)) return;
      throw error;
    }
    try {
      for (const { snapshotId, commitTimeUs } of reader.snapshots(1_000)) {
        this.#checkIdentity(snapshotId, commitTimeUs);
        if (!this.#hashes.has(snapshotId)) await this.#record(reader, snapshotId);
      }
    } catch (error) {
      if (!isPassing(error)) throw error;
    } finally {
      await reader.close();
    }
  }

  /** A snapshot id that is given out twice would show another commit time. */
  #checkIdentity(snapshotId: number, commitTimeUs: number): void {
    const known = this.#times.get(snapshotId);
    if (known !== undefined && known !== commitTimeUs)
      throw new Error(`snapshot ${snapshotId} was published twice: at ${known} and at ${commitTimeUs}`);
    this.#times.set(snapshotId, commitTimeUs);
  }

  async #record(reader: LakeReader, snapshotId: SnapshotId): Promise<void> {
    const hashes = new Map<string, bigint>();
    for (const table of reader.tables(snapshotId))
      hashes.set(qualifiedName(table), reader.contentHash(table, snapshotId));
    this.#seen += 1;
    if (this.#seen % READ_ROWS_EACH === 1)
      compare(snapshotId, hashes, await readAllHashes(reader, snapshotId));
    this.#hashes.set(snapshotId, hashes);
  }
}

/** The snapshot expired, the lake is not made yet, or the catalog is being written: all pass by themselves. */
function isPassing(error: unknown): boolean {
  return error instanceof AppError && (error.code === "snapshot-unknown" || error.code === "catalog-held");
}

async function readAllHashes(reader: LakeReader, at: SnapshotId): Promise<Hashes> {
  const hashes = new Map<string, bigint>();
  for (const table of reader.tables(at)) {
    let sum = 0n;
    for await (const batch of reader.scan(table, { at })) sum = addHash(sum, batchHash(batch));
    hashes.set(qualifiedName(table), sum);
  }
  return hashes;
}

function compare(snapshotId: number, then: Hashes, now: Hashes): void {
  for (const [table, hash] of then) {
    if (now.get(table) !== hash)
      throw new Error(
        `snapshot ${snapshotId}: ${table} reads as ${now.get(table)} and was ${hash} when published`,
      );
  }
}
