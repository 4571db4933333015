import { useLayoutEffect, useRef, type RefObject } from "react";
import { ROW_HEIGHT_PX } from "../use-row-virtualizer.ts";

type Row = { readonly logOffset: number };

/** A touchpad's rest of a pixel is not "scrolled away". */
const TOP_SLACK_PX = 2;

/** True where the newest row is at the upper edge. */
export function isAtTop(scroller: Pick<HTMLElement, "scrollTop">): boolean {
  return scroller.scrollTop <= TOP_SLACK_PX;
}

/** The row at the upper edge. */
export function topRow<R extends Row>(
  scroller: Pick<HTMLElement, "scrollTop">,
  rows: readonly R[],
): R | undefined {
  return rows[Math.floor(scroller.scrollTop / ROW_HEIGHT_PX)];
}

/** Keeps the row at the upper edge where it is when rows above it come or go, unless the list follows its newest row. */
export function useScrollAnchor(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  isHeld: boolean,
): void {
  const before = useRef<readonly Row[]>(rows);
  const wasHeld = useRef(isHeld);
  useLayoutEffect(() => {
    // Whoever lets go wants the newest rows, which are on top.
    if (wasHeld.current && !isHeld) scroller.current?.scrollTo(0, 0);
    wasHeld.current = isHeld;
  }, [scroller, isHeld]);
  useLayoutEffect(() => {
    const element = scroller.current;
    const previous = before.current;
    before.current = rows;
    if (element === null || previous === rows || (!isHeld && isAtTop(element))) return;
    const anchor = topRow(element, previous);
    if (anchor === undefined) return;
    const was = Math.floor(element.scrollTop / ROW_HEIGHT_PX);
    const is = rows.findIndex((row) => row.logOffset === anchor.logOffset);
    if (is !== -1 && is !== was) element.scrollBy(0, (is - was) * ROW_HEIGHT_PX);
  }, [scroller, rows, isHeld]);
}

/** Puts the row with `offset` to the upper edge once, with the first rows that come: after another tab, after a restart. */
export function useRestoredScroll(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  offset: number | null,
): void {
  const isDone = useRef(false);
  useLayoutEffect(() => {
    if (isDone.current || rows.length === 0 || scroller.current === null) return;
    isDone.current = true;
    const at = offset === null ? -1 : rows.findIndex((row) => row.logOffset === offset);
    if (at > 0) scroller.current.scrollTo(0, at * ROW_HEIGHT_PX);
  }, [scroller, rows, offset]);
}

/** Brings a newly selected row into view and gives the list the keyboard. New rows scroll nothing. */
export function useSelectionInView(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  selected: number | null,
  scrollTo: (index: number) => void,
): void {
  const last = useRef(selected);
  // Before a menu that opens with the selection takes the keyboard.
  useLayoutEffect(() => {
    if (last.current === selected) return;
    last.current = selected;
    const index = selected === null ? -1 : rows.findIndex((row) => row.logOffset === selected);
    if (index === -1) return;
    scrollTo(index);
    // A button that was clicked before (the tab, a group) would keep Enter for itself.
    scroller.current?.focus({ preventScroll: true });
    // Only a new selection scrolls.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [selected]);
}
