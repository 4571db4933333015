import { useEffect, useMemo, type ReactElement, type ReactNode } from "react";
import { useStore } from "zustand";
import { FilterInput } from "#renderer/components/filter-input.tsx";
import { formatCount } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { RecordInspector } from "../live-edits/inspector.tsx";
import type { RecordRoom } from "./record-room.ts";
import { filterInputId } from "./room-commands.ts";
import { RoomRowList } from "./room-row-list.tsx";

type Props<Row extends { readonly logOffset: number }, Facts> = {
  readonly room: RecordRoom<Row, Facts>;
  readonly panel: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly cells: (row: Row) => ReactNode;
  /** How many rows the lake has of what is listed, in the answer's snapshot. */
  readonly total: number;
  /** What stands in place of the rows while the lake has none. */
  readonly whenEmpty: string;
  /** Counts and charts above the rows. */
  readonly children: ReactNode;
};

function heldText(shown: number, held: number, total: number, filter: string): string {
  const all = held < total ? `newest ${formatCount(held)} of ${formatCount(total)}` : `${formatCount(held)}`;
  return filter.trim() === "" ? `${all} rows` : `${formatCount(shown)} of the ${all} rows match`;
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

/** A room of records: filter, what the lake counts, rows, inspector. It reads while it is on screen. */
export function RoomView<Row extends { readonly logOffset: number }, Facts>({
  room,
  panel,
  name,
  columns,
  cells,
  total,
  whenEmpty,
  children,
}: Props<Row, Facts>): ReactElement {
  const { answer, isLoading, error, filter, selectedOffset, isInspectorOpen, inspected } = useStore(
    room.store,
  );
  const rows = useMemo(() => room.visibleRows({ answer, filter }), [room, answer, filter]);
  useEffect(() => {
    room.open();
    return () => room.close();
  }, [room]);
  const held = answer === null ? "" : heldText(rows.length, answer.rows.length, total, filter);
  const empty = answer === null ? "Reading the lake …" : whenEmpty;
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
        <div className="table" role="table" aria-label={name} aria-busy={isLoading}>
          <div className="row head" role="row">
            {columns.map((column) => (
              <span key={column} role="columnheader">
                {column}
              </span>
            ))}
          </div>
          {rows.length === 0 ? (
            <div className="no-rows">
              <p>{answer !== null && answer.rows.length > 0 ? `No row matches “${filter}”.` : empty}</p>
            </div>
          ) : (
            <RoomRowList
              name={name}
              rows={rows}
              selected={selectedOffset}
              onSelect={(offset) => room.select(offset)}
              onOpen={() => room.openInspector()}
              cells={cells}
            />
          )}
        </div>
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
