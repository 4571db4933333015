import { createStore, type StoreApi } from "zustand/vanilla";
import type { ResultColumn, ResultPage, WireCell } from "#pipeline/protocol/query-messages.ts";
import type { WindowMemory } from "#renderer/stores/window-memory.ts";
import { COLUMN_WIDTH, firstWidths, fittingWidth, widthKey } from "./column-widths.ts";
import { parseFilter } from "./filter-cells.ts";
import { isSortable, orderOf } from "./order-cells.ts";

/** A cell by its place on screen: the row in the order that is shown, -1 = the head. */
export type GridPlace = { readonly row: number; readonly column: number };

/** How rows are ordered. */
export type GridSort = { readonly column: number; readonly direction: "ascending" | "descending" };

/** What is shown of a page, and how. */
export type GridState = {
  readonly page: ResultPage;
  /** Rows of the page that are shown, in their order. */
  readonly order: readonly number[];
  readonly sort: GridSort | null;
  readonly filter: string;
  /** The selection is the rectangle between the two; `focus` is the cell that the keyboard moves. */
  readonly anchor: GridPlace;
  readonly focus: GridPlace;
  readonly widths: readonly number[];
  readonly isInspecting: boolean;
};

/** A rectangle of cells, ends inclusive. */
export type GridRange = {
  readonly fromRow: number;
  readonly toRow: number;
  readonly fromColumn: number;
  readonly toColumn: number;
};

const WIDTHS = "grid.widths";
/** Widths remembered; the oldest are forgotten. */
const MAX_WIDTHS = 500;
const TOP_LEFT: GridPlace = { row: 0, column: 0 };

/** The rectangle between two places; the head is no part of it. */
export function rangeOf({ anchor, focus }: Pick<GridState, "anchor" | "focus">): GridRange {
  return {
    fromRow: Math.max(0, Math.min(anchor.row, focus.row)),
    toRow: Math.max(0, anchor.row, focus.row),
    fromColumn: Math.min(anchor.column, focus.column),
    toColumn: Math.max(anchor.column, focus.column),
  };
}

/** How one page is looked at: order, filter, selection, widths. Lives as long as its page, on screen or not. */
export class GridView {
  readonly store: StoreApi<GridState>;
  #scrolledTo = { top: 0, left: 0 };
  readonly #memory: WindowMemory;

  constructor(page: ResultPage, memory: WindowMemory) {
    this.#memory = memory;
    this.store = createStore<GridState>(() => ({
      page,
      order: [...page.rows.keys()],
      sort: null,
      filter: "",
      anchor: TOP_LEFT,
      focus: TOP_LEFT,
      widths: firstWidths(page, (column) => this.#rememberedWidth(column)),
      isInspecting: false,
    }));
  }

  /** Where the page was scrolled to, px; outlives the grid on screen, and nobody listens to it. */
  get scrolledTo(): { readonly top: number; readonly left: number } {
    return this.#scrolledTo;
  }

  rememberScroll({ top, left }: { readonly top: number; readonly left: number }): void {
    this.#scrolledTo = { top, left };
  }

  /** Newer rows: of the same columns they keep order, filter, widths and selection. */
  takePage(page: ResultPage): void {
    const { page: before, widths, sort, filter, focus, anchor } = this.store.getState();
    if (page === before) return;
    const isSame = JSON.stringify(page.columns) === JSON.stringify(before.columns);
    if (!isSame) {
      const first = firstWidths(page, (column) => this.#rememberedWidth(column));
      this.store.setState({ page, widths: first, sort: null, filter: "", anchor: TOP_LEFT, focus: TOP_LEFT });
      return this.#arrange(page, null, "");
    }
    this.store.setState({ page, widths });
    this.#arrange(page, sort, filter);
    const last = this.store.getState().order.length - 1;
    const within = ({ row, column }: GridPlace): GridPlace => ({ row: Math.min(row, last), column });
    this.store.setState({ focus: within(focus), anchor: within(anchor) });
  }

  /** Orders by a column: ascending, then descending, then as the statement gave them. */
  toggleSort(column: number): void {
    const { page, sort, filter } = this.store.getState();
    const type = page.columns[column]?.type;
    if (type === undefined || !isSortable(type)) return;
    const isThis = sort?.column === column;
    const next: GridSort | null =
      isThis && sort.direction === "descending"
        ? null
        : { column, direction: isThis ? "descending" : "ascending" };
    this.#arrange(page, next, filter);
  }

  setFilter(filter: string): void {
    const { page, sort } = this.store.getState();
    this.#arrange(page, sort, filter);
    this.store.setState({ anchor: TOP_LEFT, focus: TOP_LEFT });
  }

  /** Moves the cell of the keyboard; `extends` keeps the other end of the selection. */
  focusAt(place: GridPlace, extendsSelection: boolean): void {
    const { page, order, anchor } = this.store.getState();
    const focus = {
      row: Math.min(order.length - 1, Math.max(-1, place.row)),
      column: Math.min(page.columns.length - 1, Math.max(0, place.column)),
    };
    this.store.setState({ focus, anchor: extendsSelection ? anchor : focus });
  }

  /** Selects whole rows, from one end to the other. */
  selectRows(fromRow: number, toRow: number): void {
    const { page } = this.store.getState();
    this.store.setState({
      anchor: { row: fromRow, column: page.columns.length - 1 },
      focus: { row: toRow, column: 0 },
    });
  }

  selectAll(): void {
    const { page, order } = this.store.getState();
    this.store.setState({
      anchor: { row: order.length - 1, column: page.columns.length - 1 },
      focus: TOP_LEFT,
    });
  }

  setWidth(column: number, px: number): void {
    const width = Math.round(Math.min(COLUMN_WIDTH.max, Math.max(COLUMN_WIDTH.min, px)));
    const { widths, page } = this.store.getState();
    this.store.setState({ widths: widths.with(column, width) });
    const definition = page.columns[column];
    if (definition === undefined) return;
    const { [widthKey(definition)]: _, ...others } = this.#remembered();
    const kept = Object.entries({ ...others, [widthKey(definition)]: width }).slice(-MAX_WIDTHS);
    this.#memory.set(WIDTHS, Object.fromEntries(kept));
  }

  /** As wide as its cells, within limits. */
  fitWidth(column: number): void {
    this.setWidth(column, fittingWidth(this.store.getState().page, column));
  }

  inspect(isInspecting: boolean): void {
    this.store.setState({ isInspecting });
  }

  /** The cell of the keyboard: its place in the page and what the page has of it; null in the head and without rows. */
  focused(): { readonly row: number; readonly column: number; readonly cell: WireCell } | null {
    const { page, order, focus } = this.store.getState();
    const row = order[focus.row];
    if (row === undefined) return null;
    return { row, column: focus.column, cell: page.rows[row]?.[focus.column] ?? null };
  }

  #arrange(page: ResultPage, sort: GridSort | null, filter: string): void {
    const wants = parseFilter(filter, page.columns);
    const all = [...page.rows.keys()];
    const wanted = wants === null ? all : all.filter((row) => wants(page.rows[row] ?? []));
    this.store.setState({ sort, filter, order: sort === null ? wanted : ordered(page, wanted, sort) });
  }

  #remembered(): Record<string, unknown> {
    const saved = this.#memory.get(WIDTHS);
    return typeof saved === "object" && saved !== null ? { ...saved } : {};
  }

  #rememberedWidth(column: ResultColumn): number | undefined {
    const width = this.#remembered()[widthKey(column)];
    const isSensible = typeof width === "number" && width >= COLUMN_WIDTH.min && width <= COLUMN_WIDTH.max;
    return isSensible ? width : undefined;
  }
}

function ordered(
  page: ResultPage,
  rows: readonly number[],
  { column, direction }: GridSort,
): readonly number[] {
  const cells = rows.map((row) => page.rows[row]?.[column] ?? null);
  const type = page.columns[column]?.type ?? "VARCHAR";
  return orderOf(cells, type, direction).map((at) => rows[at] ?? 0);
}
