import {
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type RefObject,
} from "react";
import { useStore } from "zustand";
import { ROW_HEIGHT_PX } from "../use-row-virtualizer.ts";
import { GridHead } from "./grid-head.tsx";
import { gridAction } from "./grid-keys.ts";
import { cellId, GridRow } from "./grid-row.tsx";
import { rangeOf, type GridPlace, type GridView } from "./grid-view.ts";
import { columnsBetween, columnStarts, useViewport } from "./use-viewport.ts";
import { cutCellsOf } from "./whole-cells.ts";

type TableProps = {
  readonly view: GridView;
  readonly label: string;
  readonly onCopy: () => void;
  readonly onFilter: () => void;
};

/** Rows painted beyond the edges, so that a fast wheel shows no empty stripe. */
const OVERSCAN_ROWS = 8;
const DIGIT_PX = 7;

/** Scrolls so far that the keyboard's cell is on screen. */
function useFocusOnScreen(
  scroller: RefObject<HTMLDivElement | null>,
  focus: GridPlace,
  starts: readonly number[],
  gutterPx: number,
): void {
  const last = useRef(focus);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || last.current === focus) return;
    last.current = focus;
    const roomY = element.clientHeight - ROW_HEIGHT_PX;
    const roomX = (element.clientWidth || element.offsetWidth) - gutterPx;
    const rowTop = focus.row * ROW_HEIGHT_PX;
    const left = starts[focus.column] ?? 0;
    const right = starts[focus.column + 1] ?? left;
    const { scrollTop, scrollLeft } = element;
    element.scrollTo({
      // The head is always on screen.
      top: focus.row < 0 ? scrollTop : nearest(scrollTop, roomY, rowTop, rowTop + ROW_HEIGHT_PX),
      left: nearest(scrollLeft, roomX, left, right),
    });
  }, [scroller, focus, starts, gutterPx]);
}

/** The scroll position closest to `now` at which a stretch is on screen, its beginning at least. */
function nearest(now: number, room: number, from: number, to: number): number {
  if (from < now) return from;
  return to > now + room ? Math.min(from, to - room) : now;
}

/** The cell under a pointer; null beside the cells. A row's number selects the whole row. */
function placeOf(target: EventTarget): { readonly row: number; readonly column: number | null } | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
  if (cell === null) return null;
  const { row, column } = cell.dataset;
  return { row: Number(row), column: column === undefined ? null : Number(column) };
}

function usePointer(view: GridView, scroller: RefObject<HTMLDivElement | null>) {
  const from = useRef<{ readonly row: number; readonly isRows: boolean } | null>(null);
  const onPointerDown = useCallback(
    (event: PointerEvent): void => {
      const place = placeOf(event.target);
      if (place === null || event.button !== 0) return;
      scroller.current?.focus({ preventScroll: true });
      const { anchor } = view.store.getState();
      from.current = { row: event.shiftKey ? anchor.row : place.row, isRows: place.column === null };
      if (place.column === null) view.selectRows(from.current.row, place.row);
      else view.focusAt({ row: place.row, column: place.column }, event.shiftKey);
      window.addEventListener("pointerup", () => (from.current = null), { once: true });
    },
    [view, scroller],
  );
  const onPointerOver = useCallback(
    (event: PointerEvent): void => {
      const place = from.current === null ? null : placeOf(event.target);
      if (place === null || from.current === null) return;
      if (from.current.isRows) view.selectRows(from.current.row, place.row);
      else if (place.column !== null) view.focusAt({ row: place.row, column: place.column }, true);
    },
    [view],
  );
  return { onPointerDown, onPointerOver };
}

function useKeys({ view, onCopy, onFilter }: TableProps, pageRows: number): (event: KeyboardEvent) => void {
  return (event) => {
    const { focus, order, page, widths } = view.store.getState();
    const position = { focus, rows: order.length, columns: page.columns.length, pageRows };
    const action = gridAction(event.nativeEvent, position);
    if (action === null) return;
    event.preventDefault();
    event.stopPropagation();
    switch (action.kind) {
      case "move":
        return view.focusAt(action.to, action.extends);
      case "select-all":
        return view.selectAll();
      case "copy":
        return onCopy();
      case "filter":
        return onFilter();
      case "open":
        return view.inspect(true);
      case "sort":
        return view.toggleSort(focus.column);
      case "fit":
        return view.fitWidth(focus.column);
      case "widen":
        return view.setWidth(focus.column, (widths[focus.column] ?? 0) + action.byPx);
    }
  };
}

/** The cells. Only rows and columns that are on screen are in the page, so 200 columns cost what ten do. */
export function GridTable(props: TableProps): ReactElement {
  const { view, label } = props;
  const { page, order, sort, anchor, focus, widths } = useStore(view.store);
  const gridId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const viewport = useViewport(scroller, view);
  const starts = useMemo(() => columnStarts(widths), [widths]);
  const gutterPx = 20 + DIGIT_PX * Math.max(2, String(page.rows.length).length);
  const { from, to } = columnsBetween(starts, viewport.left, viewport.left + viewport.width - gutterPx);
  const painted = useMemo(() => ({ from, to }), [from, to]);
  const pageRows = Math.max(1, Math.floor(viewport.height / ROW_HEIGHT_PX) - 2);
  useFocusOnScreen(scroller, focus, starts, gutterPx);
  const pointer = usePointer(view, scroller);
  const onKeyDown = useKeys(props, pageRows);
  const firstRow = Math.max(0, Math.floor(viewport.top / ROW_HEIGHT_PX) - OVERSCAN_ROWS);
  const rows = order.slice(
    firstRow,
    firstRow + Math.ceil(viewport.height / ROW_HEIGHT_PX) + 2 * OVERSCAN_ROWS,
  );
  const range = rangeOf({ anchor, focus });
  const isFocusPainted = focus.column >= from && focus.column <= to;
  return (
    <div
      className="grid"
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-multiselectable="true"
      aria-rowcount={order.length + 1}
      aria-colcount={page.columns.length + 1}
      aria-activedescendant={isFocusPainted ? cellId(gridId, focus.row, focus.column) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={(event) => {
        if (typeof placeOf(event.target)?.column === "number") view.inspect(true);
      }}
      {...pointer}
    >
      <GridHead
        gridId={gridId}
        view={view}
        columns={page.columns}
        starts={starts}
        painted={painted}
        sort={sort}
        focused={focus.row < 0 ? focus.column : -1}
        gutterPx={gutterPx}
      />
      <div
        className="grid-inner"
        role="rowgroup"
        style={{ height: order.length * ROW_HEIGHT_PX, width: gutterPx + (starts.at(-1) ?? 0) }}
      >
        {rows.map((row, index) => {
          const place = firstRow + index;
          const isInRange = place >= range.fromRow && place <= range.toRow && focus.row >= 0;
          return (
            <GridRow
              key={row}
              gridId={gridId}
              place={place}
              cells={page.rows[row] ?? []}
              columns={page.columns}
              starts={starts}
              painted={painted}
              selectedFrom={isInRange ? range.fromColumn : -1}
              selectedTo={isInRange ? range.toColumn : -2}
              focused={focus.row === place ? focus.column : -1}
              cut={cutCellsOf(page, row)}
              gutterPx={gutterPx}
            />
          );
        })}
      </div>
    </div>
  );
}
