/** A column of a grid of rows, as its room defines it. */
export type GridColumn = {
  readonly id: string;
  readonly label: string;
  /** What stands in the tooltip of the header, besides how to use it. */
  readonly hint?: string;
  /** Track of the CSS grid while the user has set no width. */
  readonly track: string;
  /** Narrowest width, px; nothing can be dragged below it. */
  readonly minPx: number;
  readonly align?: "right";
  readonly isSortable?: boolean;
};

/** Widths that the user has set, px by column id; other columns keep their own track. */
export type ColumnWidths = Readonly<Record<string, number>>;

/** By which column rows are ordered. */
export type Sort = { readonly column: string; readonly direction: "ascending" | "descending" };

/** Wider than any screen: a width above it is a slip of the hand. */
const WIDEST_PX = 1_600;
/** Gap between columns and padding at both ends of a row; row-grid.css has the same numbers. */
const GAP_PX = 12;
const PADDING_PX = 24;

/** A width within what the column and a screen allow, in whole pixels. */
export function clampWidth(column: Pick<GridColumn, "minPx">, px: number): number {
  return Math.round(Math.min(WIDEST_PX, Math.max(column.minPx, px)));
}

/** The tracks of all columns, and the width below which the grid scrolls sideways instead of squeezing them. */
export function layColumns(
  columns: readonly GridColumn[],
  widths: ColumnWidths,
): { readonly template: string; readonly minWidthPx: number } {
  const template = columns.map(({ id, track }) => (widths[id] === undefined ? track : `${widths[id]}px`));
  const least = columns.reduce((sum, { id, minPx }) => sum + (widths[id] ?? minPx), 0);
  return { template: template.join(" "), minWidthPx: least + GAP_PX * (columns.length - 1) + PADDING_PX };
}

/** The widths after one was set (`px`) or given back to its own track (null). */
export function setWidth(widths: ColumnWidths, column: GridColumn, px: number | null): ColumnWidths {
  const { [column.id]: _, ...others } = widths;
  return px === null ? others : { ...others, [column.id]: clampWidth(column, px) };
}

/** Widths as they were remembered; what is no width is left out. */
export function readWidths(value: unknown): ColumnWidths {
  if (typeof value !== "object" || value === null) return {};
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const widths: Record<string, number> = {};
  for (const [id, px] of entries) if (typeof px === "number" && px > 0 && px <= WIDEST_PX) widths[id] = px;
  return widths;
}

/** The order after a click on a header: another column from its large end, the same one the other way round. */
export function nextSort(sort: Sort, column: string): Sort {
  if (sort.column !== column) return { column, direction: "descending" };
  return { column, direction: sort.direction === "descending" ? "ascending" : "descending" };
}

/** The order as it was remembered, where it still names a column that can be sorted by. */
export function readSort(value: unknown, columns: readonly GridColumn[]): Sort | null {
  if (typeof value !== "object" || value === null || !("column" in value) || !("direction" in value))
    return null;
  const { direction } = value;
  const column = columns.find(({ id, isSortable }) => id === value.column && isSortable === true);
  if (column === undefined || (direction !== "ascending" && direction !== "descending")) return null;
  return { column: column.id, direction };
}
