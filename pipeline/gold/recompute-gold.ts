import { createTableRows, rowCountOf, type TableRows } from "../protocol/table-rows.ts";
import { appendWindowRows } from "./gold-rows.ts";
import type { GoldInput, GoldTable, GoldWindow, WindowLengths } from "./gold-table.ts";
import { fateOf, isSettled, type WindowBounds, windowOf } from "./window-of.ts";

/** A silver row and the window lengths in force at its offset. */
export type SilverForGold = { readonly input: GoldInput; readonly lengths: WindowLengths };

/**
 * One settled window from all silver rows that may belong to it, in offset order (invariant I5: a window's rows are
 * those that joined while it was open, and those that amended it). Used to amend, and by the audit.
 */
export function recomputeWindow(
  gold: GoldTable,
  bounds: WindowBounds,
  silver: readonly SilverForGold[],
): GoldWindow {
  const window = gold.openWindow();
  for (const { input, lengths } of silver) {
    const own = windowOf(gold, input, lengths);
    if (own === null || own.startUs !== bounds.startUs || own.lengthMs !== bounds.lengthMs) continue;
    if (fateOf(bounds, input) !== "excluded") window.fold(input);
  }
  return window;
}

type Recomputed = { readonly bounds: WindowBounds; readonly window: GoldWindow; isAmended: boolean };

/** Rows are handed on when this many windows of one table are held, so that an audit of any length fits in memory. */
const FLUSH_WINDOWS = 2_000;

/**
 * Gold table `gold` from silver alone, in one pass in offset order. Windows behind the watermark are handed on as they
 * settle; those that some row amends (`isAmendedLater`, found in a pass before) are held to the end.
 */
export class GoldRecompute {
  readonly #source: string;
  readonly #gold: GoldTable;
  readonly #isAmendedLater: (bounds: WindowBounds) => boolean;
  readonly #onRows: (rows: TableRows) => void;
  readonly #windows = new Map<string, Recomputed>();
  #flushAt = FLUSH_WINDOWS;

  constructor(
    source: string,
    gold: GoldTable,
    isAmendedLater: (bounds: WindowBounds) => boolean,
    onRows: (rows: TableRows) => void,
  ) {
    this.#source = source;
    this.#gold = gold;
    this.#isAmendedLater = isAmendedLater;
    this.#onRows = onRows;
  }

  add({ input, lengths }: SilverForGold): void {
    const bounds = windowOf(this.#gold, input, lengths);
    if (bounds === null) return;
    const fate = fateOf(bounds, input);
    if (fate === "excluded") return;
    const key = `${bounds.startUs}/${bounds.lengthMs}`;
    let held = this.#windows.get(key);
    if (held === undefined) {
      held = { bounds, window: this.#gold.openWindow(), isAmended: false };
      this.#windows.set(key, held);
    }
    held.window.fold(input);
    if (fate === "amends") held.isAmended = true;
    if (this.#windows.size >= this.#flushAt) this.#flush(input.watermarkUs);
  }

  /** Hands on everything that is left, with its state at `watermarkUs`. */
  finish(watermarkUs: number | null): void {
    const rows = createTableRows(this.#gold.table);
    for (const held of this.#windows.values()) this.#append(rows, held, watermarkUs);
    this.#windows.clear();
    this.#onRows(rows);
  }

  #flush(watermarkUs: number | null): void {
    const rows = createTableRows(this.#gold.table);
    for (const [key, held] of this.#windows) {
      if (!isSettled(held.bounds, watermarkUs) || this.#isAmendedLater(held.bounds)) continue;
      this.#append(rows, held, watermarkUs);
      this.#windows.delete(key);
    }
    if (rowCountOf(rows) > 0) this.#onRows(rows);
    // Where nothing could be handed on, asking again at every row would cost a scan each.
    this.#flushAt = Math.max(FLUSH_WINDOWS, 2 * this.#windows.size);
  }

  #append(rows: TableRows, held: Recomputed, watermarkUs: number | null): void {
    const settled = held.isAmended ? "amended" : "settled";
    const state = isSettled(held.bounds, watermarkUs) ? settled : "open";
    appendWindowRows(rows, this.#source, held.bounds, state, held.window, "all");
  }
}
