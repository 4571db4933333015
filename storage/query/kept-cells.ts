import { randomUUID } from "node:crypto";
import { open, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { makeWorkFolder } from "../duckdb/work-folder.ts";
import { AppError } from "../model/errors.ts";

/** A cell of a page that shows the beginning of its text only. `bytes`: its whole size in UTF-8. */
export type CutCell = { readonly row: number; readonly column: number; readonly bytes: number };

/** A cell by its place in the page, from 0. */
export type CellPlace = { readonly row: number; readonly column: number };

/** Results whose whole cells are kept; a person has a few open. The oldest goes first. */
const MAX_RESULTS = 16;
/** Of one result: behind it the page ends, so that `repeat` over a table cannot fill the disk. */
const MAX_RESULT_BYTES = 512 * 1_048_576;
/** Of all results together, on disk in the data folder's tmp/. */
const MAX_TOTAL_BYTES = 1024 * 1_048_576;
/** In one answer; more is taken out as a file. */
const MAX_ANSWER_BYTES = 64 * 1_048_576;
/** Texts gathered before they are written: raw records of 2 kB each would be as many writes otherwise. */
const BUFFER_BYTES = 1_048_576;

type Kept = {
  readonly file: FileHandle;
  readonly path: string;
  readonly places: ReadonlyMap<string, { readonly at: number; readonly bytes: number }>;
  readonly bytes: number;
};

const keyOf = ({ row, column }: CellPlace): string => `${row}:${column}`;

/** Writes the whole texts of one page's cut cells. Ended by {@link KeptCells.keep} or {@link discard}. */
export class CellKeeper {
  readonly maxChars: number;
  readonly cut: CutCell[] = [];
  readonly places = new Map<string, { at: number; bytes: number }>();
  bytes = 0;
  private readonly path: string;
  private opened: FileHandle | null = null;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;

  constructor(path: string, maxChars: number) {
    this.path = path;
    this.maxChars = maxChars;
  }

  /** The file with everything in it, or null where nothing was cut. */
  async end(): Promise<{ file: FileHandle; path: string } | null> {
    await this.flush(0);
    return this.opened === null ? null : { file: this.opened, path: this.path };
  }

  /** No more room: the page ends here. */
  get isFull(): boolean {
    return this.bytes >= MAX_RESULT_BYTES;
  }

  /** What the page shows of a cell's text; the whole of a long one is kept. */
  show(place: CellPlace, text: string): string {
    if (text.length <= this.maxChars) return text;
    const whole = Buffer.from(text, "utf8");
    this.places.set(keyOf(place), { at: this.bytes, bytes: whole.length });
    this.cut.push({ ...place, bytes: whole.length });
    this.bytes += whole.length;
    this.waiting.push(whole);
    this.waitingBytes += whole.length;
    const code = text.charCodeAt(this.maxChars - 1);
    return text.slice(0, code >= 0xd800 && code <= 0xdbff ? this.maxChars - 1 : this.maxChars);
  }

  /** Writes what was gathered once it is worth it. Throws `statement-failed` where the disk takes no more. */
  async flush(above = BUFFER_BYTES): Promise<void> {
    if (this.waitingBytes <= above) return;
    const texts = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    try {
      this.opened ??= await open(this.path, "wx+", 0o600);
      await this.opened.appendFile(
        texts.length === 1 && texts[0] !== undefined ? texts[0] : Buffer.concat(texts),
      );
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new AppError("statement-failed", `no room on disk for the whole texts of long cells: ${reason}`, {
        cause: error,
      });
    }
  }

  async discard(): Promise<void> {
    await this.opened?.close();
    await rm(this.path, { force: true });
  }
}

/**
 * Whole texts of cells that pages show in part: on disk, since 200 cells of 2 MB are more than a process should hold. They are
 * the very texts of that run; asking the statement again could give other rows. Must be closed.
 */
export class KeptCells {
  private readonly tempFolder: string;
  private readonly results = new Map<string, Kept>();
  private folder: Promise<string> | null = null;

  constructor(tempFolder: string) {
    this.tempFolder = tempFolder;
  }

  /** Begins to keep the cells of one run: texts above `maxChars` UTF-16 units are cut. */
  async begin(maxChars: number): Promise<CellKeeper> {
    this.folder ??= makeWorkFolder(this.tempFolder, "cells");
    return new CellKeeper(join(await this.folder, randomUUID()), maxChars);
  }

  /** Keeps what a run cut, under a name of its own; null where nothing was. */
  async keep(keeper: CellKeeper): Promise<string | null> {
    const written = await keeper.end();
    if (written === null) return null;
    const keptId = randomUUID();
    this.results.set(keptId, { ...written, places: keeper.places, bytes: keeper.bytes });
    for (const oldest of this.results.keys()) {
      if (this.results.size <= MAX_RESULTS && this.totalBytes() <= MAX_TOTAL_BYTES) break;
      await this.drop(oldest);
    }
    return keptId;
  }

  /** The whole texts, in the order asked. Throws `result-gone`, and `usage` for too much or what was not cut. */
  async read(keptId: string, cells: readonly CellPlace[]): Promise<readonly string[]> {
    const kept = this.results.get(keptId);
    if (kept === undefined) {
      throw new AppError("result-gone", "the whole cells of this result are no longer kept; run it again");
    }
    const places = cells.map((cell) => {
      const place = kept.places.get(keyOf(cell));
      if (place === undefined) throw new AppError("usage", `cell ${keyOf(cell)} was not cut`);
      return place;
    });
    const bytes = places.reduce((sum, place) => sum + place.bytes, 0);
    if (bytes > MAX_ANSWER_BYTES) {
      throw new AppError("usage", "these cells have more than 64 MB; save the result as a file instead", {
        details: { bytes },
      });
    }
    const texts: string[] = [];
    for (const place of places) {
      const { buffer } = await kept.file.read(Buffer.alloc(place.bytes), 0, place.bytes, place.at);
      texts.push(buffer.toString("utf8"));
    }
    return texts;
  }

  /** Forgets everything and removes the files. */
  async close(): Promise<void> {
    for (const keptId of this.results.keys()) await this.drop(keptId);
    if (this.folder !== null) await rm(await this.folder, { recursive: true, force: true });
  }

  private totalBytes(): number {
    return [...this.results.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  private async drop(keptId: string): Promise<void> {
    const kept = this.results.get(keptId);
    this.results.delete(keptId);
    await kept?.file.close();
    if (kept !== undefined) await rm(kept.path, { force: true });
  }
}
