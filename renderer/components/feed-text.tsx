import type { ReactElement } from "react";
import { cutText, showMarks, splitMarks } from "./visible-marks.ts";

type Props = {
  readonly text: string;
  /** UTF-16 units painted at most; the rest is in the inspector. */
  readonly limit?: number;
  readonly className?: string;
};

/** A cell holds at most what any screen is wide; a 10,000-character title would only slow the layout down. */
const CELL_LIMIT = 300;
const TOOLTIP_LIMIT = 1_000;

/** The text for a tooltip: marks as words, cut after they were written out, half surrogate pairs replaced. */
function tooltipOf(text: string): string {
  const { text: head } = cutText(text, TOOLTIP_LIMIT);
  return cutText(showMarks(head.toWellFormed()), TOOLTIP_LIMIT).text;
}

/** Text from a feed: isolated in its own direction, never HTML, control and bidi marks as symbols. */
export function FeedText({ text, limit = CELL_LIMIT, className = "" }: Props): ReactElement {
  const shown = cutText(text, limit);
  const parts = splitMarks(shown.text.toWellFormed());
  return (
    <bdi className={`feed-text ${className}`} dir="auto" title={tooltipOf(text)}>
      {parts.map((part, at) =>
        part.kind === "text" ? (
          part.text
        ) : (
          // The parts of one text never move, so their place is their identity.
          <span key={at} className="mark" title={part.codePoint}>
            {part.label}
          </span>
        ),
      )}
      {shown.cut ? "…" : null}
    </bdi>
  );
}
