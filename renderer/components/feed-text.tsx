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

/** Text from a feed: isolated in its own direction, never HTML, control and bidi marks as symbols. */
export function FeedText({ text, limit = CELL_LIMIT, className = "" }: Props): ReactElement {
  const shown = cutText(text, limit);
  return (
    <bdi className={`feed-text ${className}`} dir="auto" title={showMarks(cutText(text, TOOLTIP_LIMIT).text)}>
      {splitMarks(shown.text).map((part, at) =>
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
