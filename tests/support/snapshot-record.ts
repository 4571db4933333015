import { setTimeout as delay } from "node:timers/promises";
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
const PAUSE_MS = 30;

/**
 * A running record of what every snapshot said when it was published (invariant I3), kept by a reader of its own while the
 * workers are being killed. `checkKept` reads every kept snapshot again, row by row.
 */
export class SnapshotRecord {
  readonly #folder: DataFolder;
  readonly #hashes = new Map<number, Hashes>();
  readonly #times = new Map<number, number>();
  #reader: LakeReader | null = null;
  #isStopped = true;
  #work: Promise<void> = Promise.resolve();
  #failure: Error | null = null;
  #seen = 0;
  #looks = 0;
  /** How many times a kept snapshot was read again in the middle of the run. */
  readAgain = 0;

  constructor(folder: DataFolder) {
    this.#folder = folder;
  }

  start(): void {
    this.#isStopped = false;
    this.#work = this.#watch().catch((error: unknown) => {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#work;
    await this.#reader?.close();
    this.#reader = null;
    if (this.#failure !== null) throw this.#failure;
  }

  async #watch(): Promise<void> {
    while (!this.#isStopped) {
      await this.#look();
      await delay(PAUSE_MS);
    }
  }

  /** Looks a last time, then reads every kept snapshot again; returns how many were recorded, and kept and equal. */
  async checkKept(): Promise<{ recorded: number; kept: number }> {
    await this.stop();
    await this.#look();
    await this.stop();
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
    try {
      this.#reader ??= openReader(this.#folder);
      for (const { snapshotId, commitTimeUs } of this.#reader.snapshots(1_000)) {
        this.#checkIdentity(snapshotId, commitTimeUs);
        if (!this.#hashes.has(snapshotId)) await this.#record(this.#reader, snapshotId);
      }
      await this.#readAgain(this.#reader);
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }

  /**
   * Reads kept snapshots of long ago again while the workers go on: the oldest that is no seal point, since pruning works
   * its way up to it, the oldest seal point, and one in between.
   */
  async #readAgain(reader: LakeReader): Promise<void> {
    const kept = reader.snapshots(1_000).toReversed();
    const hot = kept.filter(({ sealed }) => !sealed);
    const chosen = [hot[0], kept.find(({ sealed }) => sealed), hot[this.#looks % Math.max(1, hot.length)]];
    this.#looks += 1;
    for (const snapshot of new Set(chosen)) {
      const then = snapshot === undefined ? undefined : this.#hashes.get(snapshot.snapshotId);
      if (snapshot === undefined || then === undefined) continue;
      const now = await readAllHashes(reader, snapshot.snapshotId);
      // One that expired meanwhile promises nothing any more.
      if (reader.snapshots(1_000).some(({ snapshotId }) => snapshotId === snapshot.snapshotId))
        compare(snapshot.snapshotId, then, now);
      this.readAgain += 1;
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
