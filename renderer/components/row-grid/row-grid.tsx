import {
  useCallback,
  useId,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from "react";
import type { VirtualItem, Virtualizer } from "@tanstack/react-virtual";
import { ContextMenu, type MenuItem } from "../context-menu.tsx";
import { ROW_HEIGHT_PX, useRowVirtualizer } from "../use-row-virtualizer.ts";
import { ColumnHeader } from "./column-header.tsx";
import { layColumns, type ColumnWidths, type GridColumn, type Sort } from "./columns.ts";
import { GridRow } from "./grid-row.tsx";
import {
  isAtTop,
  topRow,
  useRestoredScroll,
  useScrollAnchor,
  useSelectionInView,
} from "./use-scroll-anchor.ts";

/** What the list says when it was scrolled. */
export type Scrolled = {
  readonly isAtTop: boolean;
  /** Offset of the row at the upper edge; null where there is none. */
  readonly topOffset: number | null;
  /** Rows below the last one on screen. */
  readonly rowsBelow: number;
  /** Further down than at the last time. */
  readonly isDown: boolean;
};

type Props<Row> = {
  readonly name: string;
  readonly columns: readonly GridColumn[];
  readonly widths: ColumnWidths;
  readonly onResize: (column: GridColumn, px: number | null) => void;
  readonly sort?: Sort;
  readonly onSort?: (column: string) => void;
  readonly rows: readonly Row[];
  /** Must stay the same function: the cells of a row are made once. */
  readonly cells: (row: Row) => ReactNode;
  readonly selected: number | null;
  readonly onSelect: (offset: number) => void;
  readonly onOpen: () => void;
  /** What can be done with a row. */
  readonly menu: (offset: number) => readonly MenuItem[];
  /** Ctrl+C on the selected row, unless text is selected. */
  readonly onCopy: (offset: number) => void;
  /** Rows are kept in place even at the top. */
  readonly isHeld?: boolean;
  /** Row at the upper edge when the list was last on screen. */
  readonly restoreOffset: number | null;
  readonly onScrolled: (scrolled: Scrolled) => void;
  /** What stands in place of the rows while there are none. */
  readonly empty: ReactNode;
  readonly isBusy?: boolean;
};

type Offset = { readonly logOffset: number };

/** The element of each row, made once for as long as the row lives. */
function useRowContents<Row extends Offset>(cells: (row: Row) => ReactNode): (row: Row) => ReactNode {
  const made = useRef<{ readonly cells: typeof cells; readonly of: WeakMap<Row, ReactNode> } | null>(null);
  return (row) => {
    if (made.current?.cells !== cells) made.current = { cells, of: new WeakMap() };
    const known = made.current.of.get(row);
    if (known !== undefined) return known;
    const content = cells(row);
    made.current.of.set(row, content);
    return content;
  };
}

type OpenMenu = {
  readonly at: { readonly x: number; readonly y: number };
  readonly items: readonly MenuItem[];
};

/** Where a menu opens: at the pointer, or under the selected row where a key asked for it. */
function menuPlace(
  event: { clientX: number; clientY: number; button: number },
  row: Element,
): OpenMenu["at"] {
  if (event.button === 2) return { x: event.clientX, y: event.clientY };
  const { left, bottom } = row.getBoundingClientRect();
  return { x: left + ROW_HEIGHT_PX, y: bottom };
}

/** Reads the scroller when it was scrolled. */
function useScrolled<Row extends Offset>(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  onScrolled: (scrolled: Scrolled) => void,
): () => void {
  const lastTop = useRef(0);
  return () => {
    const element = scroller.current;
    if (element === null) return;
    const isDown = element.scrollTop > lastTop.current;
    lastTop.current = element.scrollTop;
    const restPx = element.scrollHeight - element.scrollTop - element.clientHeight;
    onScrolled({
      isAtTop: isAtTop(element),
      topOffset: topRow(element, rows)?.logOffset ?? null,
      rowsBelow: Math.floor(restPx / ROW_HEIGHT_PX),
      isDown,
    });
  };
}

/** Ctrl+C on the selected row; where text is selected, that is what is meant. */
function isCopy(event: KeyboardEvent): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "c") return false;
  return window.getSelection()?.isCollapsed !== false;
}

/** Records as rows, virtualised: a head whose columns can be resized, a selection, a menu per row. One stop for the Tab key and one for the head. */
export function RowGrid<Row extends Offset>(props: Props<Row>): ReactElement {
  const { name, columns, widths, rows, selected, onSelect, menu } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<OpenMenu | null>(null);
  const closeMenu = useCallback(() => setOpened(null), []);
  const virtual = usePlacedRows(props, scroller);
  const onScroll = useScrolled(scroller, rows, props.onScrolled);
  const { template, minWidthPx } = layColumns(columns, widths);
  const style: CSSProperties & Record<`--${string}`, string> = {
    "--columns": template,
    "--min-width": `${minWidthPx}px`,
  };
  const gridId = useId();
  const items = virtual.getVirtualItems();
  // An id that is not in the page would be an empty promise to a screen reader.
  const isPainted = items.some(({ index }) => rows[index]?.logOffset === selected);
  const onContextMenu = (event: MouseEvent<HTMLDivElement>): void => {
    event.preventDefault();
    const target = event.target instanceof Element ? event.target.closest("[data-offset]") : null;
    const row = target ?? event.currentTarget.querySelector('[aria-selected="true"]');
    if (!(row instanceof HTMLElement)) return;
    const offset = Number(row.dataset["offset"]);
    if (offset !== selected) onSelect(offset);
    setOpened({ at: menuPlace(event, row), items: menu(offset) });
  };
  return (
    <div className="rows-host">
      <div
        className="rows"
        ref={scroller}
        style={style}
        role="grid"
        tabIndex={0}
        aria-label={name}
        aria-rowcount={rows.length + 1}
        aria-busy={props.isBusy === true}
        aria-activedescendant={isPainted ? `${gridId}-${selected}` : undefined}
        onScroll={onScroll}
        onKeyDown={(event) => {
          if (selected === null || !isCopy(event)) return;
          event.preventDefault();
          props.onCopy(selected);
        }}
        onContextMenu={onContextMenu}
      >
        <ColumnHeader
          columns={columns}
          widths={widths}
          onResize={props.onResize}
          sort={props.sort}
          onSort={props.onSort}
        />
        <Rows {...props} items={items} heightPx={virtual.getTotalSize()} gridId={gridId} />
      </div>
      {rows.length === 0 ? <div className="no-rows">{props.empty}</div> : null}
      {opened === null ? null : <ContextMenu items={opened.items} at={opened.at} onClose={closeMenu} />}
    </div>
  );
}

/** Which rows are in the page, and where the list stands. Of the component with the scroller: its effects come after it. */
function usePlacedRows<Row extends Offset>(
  props: Props<Row>,
  scroller: RefObject<HTMLDivElement | null>,
): Virtualizer<HTMLDivElement, Element> {
  const { rows, selected } = props;
  const keyOf = (index: number): number => rows[index]?.logOffset ?? index;
  const virtual = useRowVirtualizer(scroller, rows.length, keyOf, ROW_HEIGHT_PX);
  useRestoredScroll(scroller, rows, props.restoreOffset);
  useScrollAnchor(scroller, rows, props.isHeld === true);
  useSelectionInView(scroller, rows, selected, (index) => virtual.scrollToIndex(index));
  return virtual;
}

type RowsProps<Row> = Props<Row> & {
  readonly items: readonly VirtualItem[];
  readonly heightPx: number;
  readonly gridId: string;
};

function Rows<Row extends Offset>(props: RowsProps<Row>): ReactElement | null {
  const { rows, selected, gridId } = props;
  const contentOf = useRowContents(props.cells);
  if (rows.length === 0) return null;
  return (
    <div className="rows-inner" role="rowgroup" style={{ height: `${props.heightPx}px` }}>
      {props.items.map((item) => {
        const row = rows[item.index];
        return row === undefined ? null : (
          <GridRow
            key={row.logOffset}
            offset={row.logOffset}
            id={`${gridId}-${row.logOffset}`}
            top={item.start}
            isSelected={row.logOffset === selected}
            content={contentOf(row)}
            onSelect={props.onSelect}
            onOpen={props.onOpen}
          />
        );
      })}
    </div>
  );
}
