import { createTableRows, type TableRows } from "../protocol/table-rows.ts";
import { appendWindowRows } from "./gold-rows.ts";
import type { GoldInput, GoldTable, GoldWindow, WindowLengths } from "./gold-table.ts";
import { fateOf, isSettled, type WindowBounds, windowOf } from "./window-of.ts";

type Open = {
  readonly gold: GoldTable;
  readonly bounds: WindowBounds;
  readonly window: GoldWindow;
  readonly firstOffset: number;
  isChanged: boolean;
  /** Rows of it are in the lake as open ones. */
  isStored: boolean;
  isAmended: boolean;
};

/** A settled window that an amending row belongs to. */
export type TouchedWindow = { readonly gold: GoldTable; readonly bounds: WindowBounds };

/** What a batch changes in gold; see CommitInput. */
export type GoldOutput = {
  readonly appends: readonly TableRows[];
  readonly upserts: readonly TableRows[];
  readonly touched: readonly TouchedWindow[];
};

/**
 * The windows that are open, per table, start and length.
 *
 *     (none) ──row──▶ open ──watermark ≥ end, at the end of a batch──▶ settled, forgotten here
 *
 * Whether a row joins is decided by the watermark at the row's own offset and not by what is in here, so the result
 * does not depend on where batches are cut.
 */
export class OpenWindows {
  readonly #source: string;
  readonly #tables: readonly GoldTable[];
  readonly #open: Map<string, Open>[];
  readonly #touched = new Map<string, TouchedWindow>();
  readonly #excluded: number[];
  /** The window that the table's last row joined: most rows join the same. */
  readonly #last: (Open | undefined)[] = [];

  constructor(source: string, tables: readonly GoldTable[]) {
    this.#source = source;
    this.#tables = tables;
    this.#open = tables.map(() => new Map<string, Open>());
    this.#excluded = tables.map(() => 0);
  }

  /** Folds one silver row. Rows must come in offset order. */
  add(input: GoldInput, lengths: WindowLengths): void {
    this.#tables.forEach((gold, index) => {
      const bounds = windowOf(gold, input, lengths);
      if (bounds === null) return;
      const fate = fateOf(bounds, input);
      if (fate === "excluded") this.#excluded[index] = (this.#excluded[index] ?? 0) + 1;
      else if (fate === "joins") this.#join(gold, index, bounds, input);
      else this.#amend(gold, index, bounds, input);
    });
  }

  /** Folds a row that the lake already holds; false where none of its windows is still open at `watermarkUs`. */
  restore(input: GoldInput, lengths: WindowLengths, watermarkUs: number | null): boolean {
    let isOpen = false;
    this.#tables.forEach((gold, index) => {
      const bounds = windowOf(gold, input, lengths);
      if (bounds === null || isSettled(bounds, watermarkUs)) return;
      isOpen = true;
      const open = this.#join(gold, index, bounds, input);
      open.isStored = true;
    });
    return isOpen;
  }

  /** Ends a restore: nothing counts as changed. */
  endRestore(): void {
    for (const windows of this.#open) {
      for (const open of windows.values()) {
        open.window.rows("changed");
        open.isChanged = false;
      }
    }
  }

  /** Settles what the watermark passed and takes what changed since the last call. */
  take(watermarkUs: number | null): GoldOutput {
    const appends: TableRows[] = [];
    const upserts: TableRows[] = [];
    this.#tables.forEach((gold, index) => {
      const added = createTableRows(gold.table);
      const replaced = createTableRows(gold.table);
      const windows = this.#open[index] ?? new Map<string, Open>();
      for (const [key, open] of windows) {
        if (isSettled(open.bounds, watermarkUs)) {
          const rows = open.isStored ? replaced : added;
          const state = open.isAmended ? "amended" : "settled";
          appendWindowRows(rows, this.#source, open.bounds, state, open.window, "all");
          windows.delete(key);
          if (this.#last[index] === open) this.#last[index] = undefined;
        } else if (open.isChanged) {
          appendWindowRows(replaced, this.#source, open.bounds, "open", open.window, "changed");
          open.isChanged = false;
          open.isStored = true;
        }
      }
      appends.push(added);
      upserts.push(replaced);
    });
    const touched = [...this.#touched.values()];
    this.#touched.clear();
    return { appends, upserts, touched };
  }

  /** Offset of the first row that an open window holds; null when none is open. */
  firstOffset(): number | null {
    let first: number | null = null;
    for (const windows of this.#open) {
      for (const { firstOffset } of windows.values()) first = Math.min(first ?? firstOffset, firstOffset);
    }
    return first;
  }

  /** Rows that came too late for their settled window, per table, since the last call. */
  takeExcluded(): Readonly<Record<string, number>> {
    const counts = this.#tables.map((gold, index) => [gold.table.name, this.#excluded[index] ?? 0] as const);
    this.#excluded.fill(0);
    return Object.fromEntries(counts);
  }

  #join(gold: GoldTable, index: number, bounds: WindowBounds, input: GoldInput): Open {
    let open = this.#last[index];
    if (open?.bounds.startUs !== bounds.startUs || open.bounds.lengthMs !== bounds.lengthMs) {
      open = this.#find(gold, index, bounds, input);
      this.#last[index] = open;
    }
    open.window.fold(input);
    open.isChanged = true;
    return open;
  }

  #find(gold: GoldTable, index: number, bounds: WindowBounds, input: GoldInput): Open {
    const key = keyOf(bounds);
    let open = this.#open[index]?.get(key);
    if (open === undefined) {
      const window = gold.openWindow();
      open = {
        gold,
        bounds,
        window,
        firstOffset: input.logOffset,
        isChanged: true,
        isStored: false,
        isAmended: false,
      };
      this.#open[index]?.set(key, open);
    }
    return open;
  }

  // Batches end around runs of redrive and repair, so a settled window is normally gone from here. It is still here
  // when an earlier record of the same run moved the watermark past its end: then it takes the row and ends amended.
  #amend(gold: GoldTable, index: number, bounds: WindowBounds, input: GoldInput): void {
    const open = this.#open[index]?.get(keyOf(bounds));
    if (open === undefined) {
      this.#touched.set(`${gold.table.name}/${keyOf(bounds)}`, { gold, bounds });
      return;
    }
    open.window.fold(input);
    open.isAmended = true;
  }
}

function keyOf(bounds: WindowBounds): string {
  return `${bounds.startUs}/${bounds.lengthMs}`;
}
