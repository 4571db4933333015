import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactElement } from "react";
import { Icon } from "../icon.tsx";
import type { ColumnWidths, GridColumn, Sort } from "./columns.ts";

type Props = {
  readonly columns: readonly GridColumn[];
  readonly widths: ColumnWidths;
  /** `px` null: the column takes its own width again. */
  readonly onResize: (column: GridColumn, px: number | null) => void;
  readonly sort?: Sort | undefined;
  readonly onSort?: ((column: string) => void) | undefined;
};

/** What one press of Shift+arrow adds to a width. */
const STEP_PX = 16;

function hintOf({ label, hint, isSortable }: GridColumn): string {
  const lines = [hint === undefined ? label : `${label}: ${hint}`];
  if (isSortable === true) lines.push("Click or Enter sorts by it");
  lines.push(
    "Drag its edge or press Shift+← → for its width, double click the edge or Backspace for its own",
  );
  return lines.join("\n");
}

type EdgeProps = { readonly onDrag: (byPx: number, fromPx: number) => void; readonly onReset: () => void };

/** The edge that is dragged. The keyboard has the header cell's own keys, so it is no stop of its own. */
function Edge({ onDrag, onReset }: EdgeProps): ReactElement {
  const start = useRef<{ readonly x: number; readonly widthPx: number } | null>(null);
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.setPointerCapture?.(event.pointerId);
    start.current = { x: event.clientX, widthPx: event.currentTarget.parentElement?.offsetWidth ?? 0 };
  };
  const onPointerMove = (event: PointerEvent<HTMLSpanElement>): void => {
    if (start.current !== null) onDrag(event.clientX - start.current.x, start.current.widthPx);
  };
  const end = (): void => {
    start.current = null;
  };
  return (
    <span
      className="column-edge"
      aria-hidden="true"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onLostPointerCapture={end}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => {
        event.stopPropagation();
        onReset();
      }}
    />
  );
}

function focusBeside(cell: HTMLElement, step: number): void {
  const beside = step < 0 ? cell.previousElementSibling : cell.nextElementSibling;
  if (beside instanceof HTMLElement) beside.focus();
}

/**
 * Head of a grid of rows: one stop of the Tab key, left and right go from column to column, Shift with them changes a
 * width, Enter sorts where rows can be sorted.
 */
export function ColumnHeader({ columns, widths, onResize, sort, onSort }: Props): ReactElement {
  const [current, setCurrent] = useState(0);
  const sortBy = (column: GridColumn): void => {
    if (column.isSortable === true) onSort?.(column.id);
  };
  const press = (event: KeyboardEvent<HTMLElement>, column: GridColumn): boolean => {
    const cell = event.currentTarget;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined && event.shiftKey)
      onResize(column, (widths[column.id] ?? cell.offsetWidth) + step * STEP_PX);
    else if (step !== undefined) focusBeside(cell, step);
    else if (event.key === "Backspace") onResize(column, null);
    else if (event.key === "Enter" || event.key === " ") sortBy(column);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, column: GridColumn): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !press(event, column)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="head-row" role="row">
      {columns.map((column, at) => {
        const direction = sort?.column === column.id ? sort.direction : undefined;
        return (
          <span
            key={column.id}
            role="columnheader"
            className={column.align === "right" ? "head-cell right" : "head-cell"}
            title={hintOf(column)}
            tabIndex={at === current ? 0 : -1}
            aria-sort={column.isSortable === true ? (direction ?? "none") : undefined}
            onFocus={() => setCurrent(at)}
            onKeyDown={(event) => onKeyDown(event, column)}
            onClick={() => sortBy(column)}
          >
            <span className="head-label">{column.label}</span>
            {direction === undefined ? null : (
              <Icon name={direction === "descending" ? "arrow-down" : "arrow-up"} />
            )}
            <Edge
              onDrag={(byPx, fromPx) => onResize(column, fromPx + byPx)}
              onReset={() => onResize(column, null)}
            />
          </span>
        );
      })}
    </div>
  );
}
