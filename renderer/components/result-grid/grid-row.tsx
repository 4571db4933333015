import { memo, type ReactElement } from "react";
import type { CutCell, ResultColumn, WireCell } from "#pipeline/protocol/query-messages.ts";
import { FeedText } from "../feed-text.tsx";
import { formatBytes, formatCount } from "../format.ts";
import { ROW_HEIGHT_PX } from "../use-row-virtualizer.ts";
import { isNumericType } from "./column-types.ts";

/** Columns that are painted, ends inclusive. */
export type ColumnSpan = { readonly from: number; readonly to: number };

type RowProps = {
  readonly gridId: string;
  /** Place in the order that is shown. */
  readonly place: number;
  readonly cells: readonly WireCell[];
  readonly columns: readonly ResultColumn[];
  readonly starts: readonly number[];
  readonly painted: ColumnSpan;
  /** Selected columns of this row, or null. */
  readonly selectedFrom: number;
  readonly selectedTo: number;
  /** Column of the keyboard's cell, -1 where that is in another row. */
  readonly focused: number;
  readonly cut: ReadonlyMap<number, CutCell> | undefined;
  readonly gutterPx: number;
};

/** Element id of a cell, for the grid's active descendant. */
export function cellId(gridId: string, row: number, column: number): string {
  return `${gridId}-${row}-${column}`;
}

function Content({
  cell,
  cut,
}: {
  readonly cell: WireCell;
  readonly cut: CutCell | undefined;
}): ReactElement {
  if (cell === null) return <em className="null">NULL</em>;
  const text = typeof cell === "string" ? <FeedText text={cell} /> : <>{String(cell)}</>;
  if (cut === undefined) return text;
  return (
    <>
      {text}
      <span
        className="cut-mark"
        title="Only the beginning is here; Enter shows the whole cell, copying takes it"
      >
        {formatBytes(cut.bytes)}
      </span>
    </>
  );
}

/** One row: its number, and the cells of the columns that are on screen. */
export const GridRow = memo(function GridRow(props: RowProps): ReactElement {
  const { gridId, place, cells, columns, starts, painted, selectedFrom, selectedTo, focused, cut, gutterPx } =
    props;
  const at = Array.from({ length: painted.to - painted.from + 1 }, (_, index) => painted.from + index);
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      className="grid-row"
      style={{ transform: `translateY(${place * ROW_HEIGHT_PX}px)`, width: gutterPx + (starts.at(-1) ?? 0) }}
    >
      <span role="rowheader" className="gutter" data-row={place} style={{ width: gutterPx }}>
        {formatCount(place + 1)}
      </span>
      {at.map((column) => {
        const isSelected = column >= selectedFrom && column <= selectedTo;
        const kind = isNumericType(columns[column]?.type ?? "") ? "cell number" : "cell";
        const left = starts[column] ?? 0;
        return (
          <span
            key={column}
            id={cellId(gridId, place, column)}
            role="gridcell"
            aria-colindex={column + 2}
            aria-selected={isSelected}
            data-row={place}
            data-column={column}
            className={`${kind}${isSelected ? " selected" : ""}${column === focused ? " focused" : ""}`}
            style={{ left: gutterPx + left, width: (starts[column + 1] ?? left) - left }}
          >
            <Content cell={cells[column] ?? null} cut={cut?.get(column)} />
          </span>
        );
      })}
    </div>
  );
});
