import { useCallback, useEffect, useMemo, type ReactElement, type ReactNode } from "react";
import { useStore } from "zustand";
import { FilterInput } from "#renderer/components/filter-input.tsx";
import { formatCount } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { RowGrid } from "#renderer/components/row-grid/row-grid.tsx";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { RecordInspector } from "../live-edits/inspector.tsx";
import { copyRecord } from "./record-actions.ts";
import { recordMenu } from "./record-menu.ts";
import type { RecordRoom } from "./record-room.ts";
import { filterInputId } from "./room-commands.ts";

type Props<Row extends { readonly logOffset: number }, Facts> = {
  readonly room: RecordRoom<Row, Facts>;
  readonly panel: string;
  readonly name: string;
  /** Must stay the same function. */
  readonly cells: (row: Row) => ReactNode;
  /** How many rows the lake has of what is listed, in the answer's snapshot. */
  readonly total: number;
  /** What stands in place of the rows while the lake has none. */
  readonly whenEmpty: string;
  /** Counts and charts above the rows. */
  readonly children: ReactNode;
};

function heldText(
  shown: number,
  held: number,
  total: number,
  filter: string,
  isNewestFirst: boolean,
): string {
  const first = isNewestFirst ? "newest" : "first";
  const all =
    held < total ? `${first} ${formatCount(held)} of ${formatCount(total)}` : `${formatCount(held)}`;
  return filter.trim() === "" ? `${all} rows` : `${formatCount(shown)} of the ${all} rows shown`;
}

type BarProps = {
  readonly panel: string;
  readonly name: string;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  readonly held: string;
};

function RoomBar({ panel, name, filter, onFilter, held }: BarProps): ReactElement {
  return (
    <div className="tool-bar" role="toolbar" aria-label={name}>
      <FilterInput
        id={filterInputId(panel)}
        placeholder="Filter the rows — press /"
        value={filter}
        onChange={onFilter}
      />
      <span className="held">{held}</span>
      <span className="spacer" />
      <CommandButton command={`${panel}.refresh`}>
        <Icon name="refresh" /> Read again
      </CommandButton>
    </div>
  );
}

type RowsProps<Row extends { readonly logOffset: number }, Facts> = Pick<
  Props<Row, Facts>,
  "room" | "name" | "cells" | "whenEmpty"
> & { readonly rows: readonly Row[] };

function Rows<Row extends { readonly logOffset: number }, Facts>(props: RowsProps<Row, Facts>): ReactElement {
  const { room, name, rows, cells, whenEmpty } = props;
  const stores = useAppStores();
  const { answer, isLoading, filter, sort, widths, selectedOffset } = useStore(room.store);
  const select = useCallback((offset: number) => room.select(offset), [room]);
  const open = useCallback(() => room.openInspector(), [room]);
  const hasRows = answer !== null && answer.rows.length > 0;
  const empty = answer === null ? "Reading the lake …" : whenEmpty;
  return (
    <RowGrid
      name={name}
      columns={room.columns}
      widths={widths}
      onResize={(column, px) => room.resize(column, px)}
      sort={sort}
      onSort={(column) => room.sortBy(column)}
      rows={rows}
      cells={cells}
      selected={selectedOffset}
      onSelect={select}
      onOpen={open}
      menu={(offset) => recordMenu(stores, room, offset)}
      onCopy={(offset) => void copyRecord(stores, offset, "json")}
      restoreOffset={room.store.getState().topOffset}
      onScrolled={(scrolled) => room.scrolled(scrolled)}
      empty={<p>{hasRows ? `No row matches “${filter}”.` : empty}</p>}
      isBusy={isLoading}
    />
  );
}

/** A room of records: filter, what the lake counts, rows, inspector. It reads while it is on screen. */
export function RoomView<Row extends { readonly logOffset: number }, Facts>({
  room,
  panel,
  name,
  cells,
  total,
  whenEmpty,
  children,
}: Props<Row, Facts>): ReactElement {
  const { answer, error, filter, sort, isInspectorOpen, inspected } = useStore(room.store);
  const rows = useMemo(() => room.visibleRows({ answer, filter }), [room, answer, filter]);
  useEffect(() => {
    room.open();
    return () => room.close();
  }, [room]);
  const isNewestFirst = sort.column === "received" && sort.direction === "descending";
  const held = answer === null ? "" : heldText(rows.length, answer.rows.length, total, filter, isNewestFirst);
  return (
    <div className={`record-room ${panel}`}>
      <div className="list">
        <RoomBar
          panel={panel}
          name={name}
          filter={filter}
          onFilter={(to) => room.setFilter(to)}
          held={held}
        />
        {error === null ? null : (
          <p className="fetch-error" role="status">
            <Icon name="warning" /> The lake could not be read ({error.code}): {error.message}. What is shown
            stays; press F5 to read again.
          </p>
        )}
        {answer === null ? null : children}
        <Rows room={room} name={name} rows={rows} cells={cells} whenEmpty={whenEmpty} />
      </div>
      {isInspectorOpen ? (
        <RecordInspector
          inspected={inspected}
          onRetry={() => room.openInspector()}
          closeCommand={`${panel}.close`}
        />
      ) : null}
    </div>
  );
}
