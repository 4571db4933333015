import type { GridPlace } from "./grid-view.ts";

/** What a stroke means in a grid. */
export type GridStroke = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** What the grid does on it. */
export type GridAction =
  | { readonly kind: "move"; readonly to: GridPlace; readonly extends: boolean }
  | { readonly kind: "select-all" | "copy" | "open" | "filter" | "fit" | "sort" }
  | { readonly kind: "widen"; readonly byPx: number };

/** Where the keyboard is, and how far it can go. */
export type GridPosition = {
  readonly focus: GridPlace;
  readonly rows: number;
  readonly columns: number;
  /** Rows that fit on the screen. */
  readonly pageRows: number;
};

const WIDEN_PX = 16;

/** The action of a stroke, or null where it is none of the grid's. */
export function gridAction(stroke: GridStroke, position: GridPosition): GridAction | null {
  const isMod = stroke.ctrlKey || stroke.metaKey;
  if (stroke.altKey) return isMod ? null : widthAction(stroke);
  const known = isMod ? modAction(stroke.key.toLowerCase()) : plainAction(stroke.key, position.focus);
  if (known !== null) return known;
  const to = (isMod ? FAR : NEAR)[stroke.key]?.(position) ?? null;
  return to === null ? null : { kind: "move", to, extends: stroke.shiftKey };
}

function plainAction(key: string, { row }: GridPlace): GridAction | null {
  if (key === "Enter" || key === "F2") return { kind: row < 0 ? "sort" : "open" };
  if (key === " ") return row < 0 ? { kind: "sort" } : null;
  return key === "/" ? { kind: "filter" } : null;
}

function modAction(key: string): GridAction | null {
  if (key === "a") return { kind: "select-all" };
  if (key === "c") return { kind: "copy" };
  return key === "f" ? { kind: "filter" } : null;
}

/** By the key's place, since Option makes other letters of it on a Mac. */
function widthAction({ key, code }: GridStroke): GridAction | null {
  if (key === "ArrowRight") return { kind: "widen", byPx: WIDEN_PX };
  if (key === "ArrowLeft") return { kind: "widen", byPx: -WIDEN_PX };
  return code === "Digit0" ? { kind: "fit" } : null;
}

type Move = (position: GridPosition) => GridPlace;

const up: Move = ({ focus }) => ({ row: focus.row - 1, column: focus.column });
const down: Move = ({ focus }) => ({ row: focus.row + 1, column: focus.column });

const NEAR: Readonly<Record<string, Move>> = {
  ArrowUp: up,
  k: up,
  ArrowDown: down,
  j: down,
  ArrowLeft: ({ focus }) => ({ row: focus.row, column: focus.column - 1 }),
  ArrowRight: ({ focus }) => ({ row: focus.row, column: focus.column + 1 }),
  Home: ({ focus }) => ({ row: focus.row, column: 0 }),
  End: ({ focus, columns }) => ({ row: focus.row, column: columns - 1 }),
  PageUp: ({ focus, pageRows }) => ({ row: Math.max(0, focus.row - pageRows), column: focus.column }),
  PageDown: ({ focus, pageRows, rows }) => ({
    row: Math.min(rows - 1, focus.row + pageRows),
    column: focus.column,
  }),
};

/** With Ctrl: to the end. */
const FAR: Readonly<Record<string, Move>> = {
  ArrowUp: ({ focus }) => ({ row: 0, column: focus.column }),
  ArrowDown: ({ focus, rows }) => ({ row: rows - 1, column: focus.column }),
  ArrowLeft: ({ focus }) => ({ row: focus.row, column: 0 }),
  ArrowRight: ({ focus, columns }) => ({ row: focus.row, column: columns - 1 }),
  Home: () => ({ row: 0, column: 0 }),
  End: ({ rows, columns }) => ({ row: rows - 1, column: columns - 1 }),
};
