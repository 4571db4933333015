import { useLayoutEffect, useState, type RefObject } from "react";
import type { GridView } from "./grid-view.ts";

/** What of a scrolling element is on screen, px. */
export type Viewport = {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
};

const NOTHING: Viewport = { top: 0, left: 0, width: 0, height: 0 };

function look(element: HTMLElement): Viewport {
  const { scrollTop, scrollLeft, clientWidth, clientHeight, offsetWidth } = element;
  return { top: scrollTop, left: scrollLeft, width: clientWidth || offsetWidth, height: clientHeight };
}

/** Follows the scrolling and the size of an element; begins where the view was left. */
export function useViewport(scroller: RefObject<HTMLDivElement | null>, view: GridView): Viewport {
  const [viewport, setViewport] = useState(NOTHING);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    element.scrollTo(view.scrolledTo);
    const follow = (): void => {
      const now = look(element);
      view.rememberScroll(now);
      setViewport(now);
    };
    follow();
    element.addEventListener("scroll", follow, { passive: true });
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", follow);
      observer.disconnect();
    };
  }, [scroller, view]);
  return viewport;
}

/** Places of columns side by side: `starts[i]` is where column i begins, the last entry where all end. */
export function columnStarts(widths: readonly number[]): readonly number[] {
  const starts = [0];
  for (const width of widths) starts.push((starts.at(-1) ?? 0) + width);
  return starts;
}

/** First and last column that are on screen between `left` and `right`; one more on each side. */
export function columnsBetween(
  starts: readonly number[],
  left: number,
  right: number,
): { readonly from: number; readonly to: number } {
  const columns = starts.length - 1;
  const first = starts.findIndex((_, at) => (starts[at + 1] ?? Number.POSITIVE_INFINITY) > left);
  const behind = starts.findIndex((start) => start >= right);
  return {
    from: Math.max(0, Math.min(columns, first) - 1),
    to: Math.min(columns - 1, behind < 0 ? columns - 1 : behind),
  };
}
