import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import type { RefObject } from "react";

/** Height of a grid row (workbench.md "Shell"), px. */
export const ROW_HEIGHT_PX = 24;
/** Rows painted beyond the edges, so that a fast wheel shows no empty stripe. */
const OVERSCAN_ROWS = 12;

/**
 * Which rows of a list are in the page. `keyOf` names a row that may change its place; without it the place is its name.
 * `headPx`: height of a head that stays on top inside the scroller and would cover the row that is scrolled to.
 */
export function useRowVirtualizer(
  scroller: RefObject<HTMLDivElement | null>,
  count: number,
  keyOf: (index: number) => number = (index) => index,
  headPx = 0,
): Virtualizer<HTMLDivElement, Element> {
  // The React Compiler, which this rule speaks for, is not used here.
  // oxlint-disable-next-line react/incompatible-library
  return useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN_ROWS,
    getItemKey: keyOf,
    scrollPaddingEnd: headPx,
  });
}
