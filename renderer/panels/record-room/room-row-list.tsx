import { useEffect, useRef, type ReactElement, type ReactNode } from "react";
import { useRowVirtualizer } from "#renderer/components/use-row-virtualizer.ts";

type Props<Row> = {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly selected: number | null;
  readonly onSelect: (offset: number) => void;
  readonly onOpen: () => void;
  readonly cells: (row: Row) => ReactNode;
};

/** Rows of a room, newest first, virtualised. */
export function RoomRowList<Row extends { readonly logOffset: number }>({
  name,
  rows,
  selected,
  onSelect,
  onOpen,
  cells,
}: Props<Row>): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useRowVirtualizer(scroller, rows.length, (index) => rows[index]?.logOffset ?? index);
  useEffect(() => {
    const index = selected === null ? -1 : rows.findIndex((row) => row.logOffset === selected);
    if (index === -1) return;
    virtual.scrollToIndex(index);
    // A button that was clicked before (the tab, a group) would keep Enter for itself.
    scroller.current?.focus({ preventScroll: true });
    // Only a new selection scrolls; new rows must not.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [selected]);
  return (
    <div className="rows" ref={scroller} role="rowgroup" tabIndex={0} aria-label={name}>
      <div className="rows-inner" style={{ height: `${virtual.getTotalSize()}px` }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <div
              key={row.logOffset}
              role="row"
              className="row"
              aria-selected={row.logOffset === selected}
              data-offset={row.logOffset}
              style={{ transform: `translateY(${item.start}px)` }}
              onMouseDown={() => onSelect(row.logOffset)}
              onDoubleClick={onOpen}
            >
              {cells(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
