import type { PointerEvent, ReactElement } from "react";
import type { ResultColumn } from "#pipeline/protocol/query-messages.ts";
import { FeedText } from "../feed-text.tsx";
import { Icon } from "../icon.tsx";
import { isNumericType, shortTypeName } from "./column-types.ts";
import { cellId, type ColumnSpan } from "./grid-row.tsx";
import type { GridSort, GridView } from "./grid-view.ts";
import { isSortable } from "./order-cells.ts";

type HeadProps = {
  readonly gridId: string;
  readonly view: GridView;
  readonly columns: readonly ResultColumn[];
  readonly starts: readonly number[];
  readonly painted: ColumnSpan;
  readonly sort: GridSort | null;
  readonly focused: number;
  readonly gutterPx: number;
};

const ORDERS = { ascending: "arrow-up", descending: "arrow-down" } as const;

function tooltip({ name, type }: ResultColumn): string {
  const order = isSortable(type)
    ? "Click: order by it (Enter)"
    : "Its texts do not say its order; use ORDER BY in the statement";
  return `${name} · ${type}\n${order}\nEdge: drag for the width (Alt+← Alt+→), double click to fit (Alt+0)`;
}

/** The edge between two columns. */
function Edge({ view, column, widthPx }: { view: GridView; column: number; widthPx: number }): ReactElement {
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>): void => {
    event.stopPropagation();
    const edge = event.currentTarget;
    const fromX = event.clientX;
    edge.setPointerCapture(event.pointerId);
    const onMove = (move: globalThis.PointerEvent): void =>
      view.setWidth(column, widthPx + move.clientX - fromX);
    const onEnd = (): void => {
      edge.removeEventListener("pointermove", onMove);
      edge.removeEventListener("lostpointercapture", onEnd);
    };
    edge.addEventListener("pointermove", onMove);
    edge.addEventListener("lostpointercapture", onEnd);
  };
  return (
    <span
      className="edge"
      aria-hidden="true"
      onPointerDown={onPointerDown}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => {
        event.stopPropagation();
        view.fitWidth(column);
      }}
    />
  );
}

/** Names and types of the columns. */
export function GridHead(props: HeadProps): ReactElement {
  const { gridId, view, columns, starts, painted, sort, focused, gutterPx } = props;
  const at = Array.from({ length: painted.to - painted.from + 1 }, (_, index) => painted.from + index);
  return (
    <div
      className="grid-row head"
      role="row"
      aria-rowindex={1}
      style={{ width: gutterPx + (starts.at(-1) ?? 0) }}
    >
      <span role="columnheader" className="gutter" style={{ width: gutterPx }}>
        <span className="visually-hidden">Row</span>
      </span>
      {at.map((column) => {
        const definition = columns[column];
        if (definition === undefined) return null;
        const { name, type } = definition;
        const direction = sort?.column === column ? sort.direction : undefined;
        const left = starts[column] ?? 0;
        const widthPx = (starts[column + 1] ?? left) - left;
        const kind = isNumericType(type) ? "cell number" : "cell";
        return (
          <span
            key={column}
            id={cellId(gridId, -1, column)}
            role="columnheader"
            aria-colindex={column + 2}
            aria-sort={direction ?? "none"}
            title={tooltip(definition)}
            className={column === focused ? `${kind} focused` : kind}
            style={{ left: gutterPx + left, width: widthPx }}
            onClick={() => view.toggleSort(column)}
          >
            <span className="column-name">
              <FeedText text={name} />
            </span>{" "}
            <small>{shortTypeName(type)}</small>
            {direction === undefined ? null : <Icon name={ORDERS[direction]} />}
            <Edge view={view} column={column} widthPx={widthPx} />
          </span>
        );
      })}
    </div>
  );
}
