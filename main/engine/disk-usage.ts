import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { DiskUsage } from "../contract/app-status.ts";
import { dataFolderAt } from "#storage/files/data-folder.ts";

/** Free space is looked at this often; a full disk is noticed by the writers themselves at once. */
const LOOK_EVERY_MS = 10_000;
const SECOND_LOOK_MS = 3_000;
/** Sizes are summed at the first two looks and then at every third: they cost a look at each file. */
const SUM_EVERY_LOOKS = 3;
/** Files looked at for the sum; a folder with more is said to be "at least" so large. */
const MAX_FILES = 50_000;

type Sum = { bytes: number };

/** Looks at the disk of a data folder now and then, aside of the event loop's work. Must be closed. */
export class DiskWatch {
  readonly #root: string;
  readonly #onChange: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #second: NodeJS.Timeout;
  #usage: DiskUsage | null = null;
  #looks = 0;
  #isLooking = false;
  #isClosed = false;

  constructor(root: string, onChange: () => void) {
    this.#root = root;
    this.#onChange = onChange;
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
    void this.look();
    // The first look finds an empty folder on a first start; soon there is something to see.
    this.#second = setTimeout(() => void this.look(), SECOND_LOOK_MS);
    this.#second.unref();
  }

  /** What was seen last; null before the first look, and where the folder cannot be looked at. */
  get usage(): DiskUsage | null {
    return this.#usage;
  }

  /** Looks now. Never rejects: a folder that is gone has banners of its own. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const isSumDue = this.#usage === null || this.#looks < 2 || this.#looks % SUM_EVERY_LOOKS === 0;
      const usage = await lookAt(this.#root, isSumDue ? null : this.#usage);
      this.#looks += 1;
      if (this.#isClosed) return;
      this.#usage = usage;
      this.#onChange();
    } catch {
      this.#usage = null;
    } finally {
      this.#isLooking = false;
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#second);
  }
}

/** Sizes of a data folder's parts and its disk's free space; with `known` only the free space is looked at. */
export async function lookAt(root: string, known: DiskUsage | null): Promise<DiskUsage> {
  const { bavail, blocks, bsize } = await statfs(root);
  const disk = { freeBytes: bavail * bsize, totalBytes: blocks * bsize, atMs: Date.now() };
  if (known !== null) return { ...known, ...disk };
  const folder = dataFolderAt(root);
  const files = { left: MAX_FILES };
  const log = await sum(folder.logRoot, files);
  const lake = await sum(folder.lake, files);
  const others = [
    folder.leases,
    folder.logs,
    folder.tmp,
    folder.quarantine,
    folder.reports,
    folder.workspace,
  ];
  let otherBytes = 0;
  for (const other of others) otherBytes += (await sum(other, files)).bytes;
  return {
    ...disk,
    logBytes: log.bytes,
    lakeBytes: lake.bytes,
    otherBytes,
    isWhole: files.left > 0,
  };
}

async function sum(folder: string, files: { left: number }): Promise<Sum> {
  // What is not there has no size; what goes away meanwhile had none for long.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const total: Sum = { bytes: 0 };
  for (const entry of entries) {
    if (files.left <= 0) break;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      total.bytes += (await sum(path, files)).bytes;
    } else if (entry.isFile()) {
      files.left -= 1;
      total.bytes += await stat(path).then(
        ({ size }) => size,
        () => 0,
      );
    }
  }
  return total;
}
