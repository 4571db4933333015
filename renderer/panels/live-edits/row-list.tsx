import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  type ReactElement,
  type RefObject,
} from "react";
import { ROW_HEIGHT_PX, useRowVirtualizer } from "#renderer/components/use-row-virtualizer.ts";
import type { LiveRow } from "#pipeline/protocol/query-messages.ts";
import { useAppStores, useLiveEdits } from "#renderer/stores/app-stores.ts";
import { visibleRows } from "./live-edits-store.ts";
import { RowView } from "./row-view.tsx";

/** Rows before the end of the window at which the next older page is fetched. */
const FETCH_AHEAD_ROWS = 100;
/** A touchpad's rest of a pixel is not "scrolled away". */
const TOP_SLACK_PX = 2;

/** The newest rows first, virtualised: only what is on screen is in the page. */
export function RowList(): ReactElement {
  const { liveEdits } = useAppStores();
  const window = useLiveEdits((state) => state.window);
  const filter = useLiveEdits((state) => state.filter);
  const selected = useLiveEdits((state) => state.selectedOffset);
  const rows = useMemo(() => visibleRows({ window, filter }), [window, filter]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useRowVirtualizer(scroller, rows.length, (index) => rows[index]?.logOffset ?? index);
  useAnchor(scroller, rows, window.hold !== null);
  useSelectionInView(rows, selected, (index) => virtual.scrollToIndex(index));
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  const isNearEnd = window.hold !== null && filter === "" && lastShown > rows.length - FETCH_AHEAD_ROWS;
  useEffect(() => {
    if (isNearEnd && window.coveredFrom > 1) liveEdits.fetchOlder();
  }, [isNearEnd, window.coveredFrom, liveEdits]);
  const select = useCallback((offset: number) => liveEdits.select(offset), [liveEdits]);
  const open = useCallback(() => liveEdits.openInspector(), [liveEdits]);
  const onScroll = (): void => liveEdits.scrolled((scroller.current?.scrollTop ?? 0) <= TOP_SLACK_PX);
  return (
    <div className="rows" ref={scroller} onScroll={onScroll} role="rowgroup" tabIndex={0} aria-label="Edits">
      <div className="rows-inner" style={{ height: `${virtual.getTotalSize()}px` }}>
        {items.map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <RowView
              key={row.logOffset}
              row={row}
              top={item.start}
              isSelected={row.logOffset === selected}
              onSelect={select}
              onOpen={open}
            />
          );
        })}
      </div>
    </div>
  );
}

/** While held, keeps the row at the upper edge where it is when rows above it come or go (a newer or older page). */
function useAnchor(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly LiveRow[],
  isHeld: boolean,
): void {
  const before = useRef<readonly LiveRow[]>(rows);
  useLayoutEffect(() => {
    const element = scroller.current;
    const previous = before.current;
    before.current = rows;
    if (element === null || !isHeld || previous === rows) return;
    const anchor = previous[Math.floor(element.scrollTop / ROW_HEIGHT_PX)];
    if (anchor === undefined) return;
    const was = previous.indexOf(anchor);
    const is = rows.findIndex((row) => row.logOffset === anchor.logOffset);
    if (is !== -1 && is !== was) element.scrollBy(0, (is - was) * ROW_HEIGHT_PX);
  }, [scroller, rows, isHeld]);
}

function useSelectionInView(
  rows: readonly LiveRow[],
  selected: number | null,
  scrollTo: (index: number) => void,
): void {
  useEffect(() => {
    const index = selected === null ? -1 : rows.findIndex((row) => row.logOffset === selected);
    if (index !== -1) scrollTo(index);
    // Only a new selection scrolls; new rows must not.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [selected]);
}
