import type { ReactElement } from "react";
import { FeedText } from "../feed-text.tsx";
import { formatTime, formatUtc } from "../format.ts";

/** Text of a feed in a cell; a record that does not say is a dash, which is not an empty text. */
export function FeedCell({
  text,
  className = "",
}: {
  readonly text: string | null;
  readonly className?: string;
}): ReactElement {
  return (
    <span role="gridcell" className={className}>
      {text === null ? (
        <span className="absent" title="the record does not say">
          —
        </span>
      ) : (
        <FeedText text={text} />
      )}
    </span>
  );
}

/** A moment: local time of day, the exact one in UTC in the tooltip. */
export function TimeCell({ ms, hint }: { readonly ms: number; readonly hint?: string }): ReactElement {
  return (
    <span role="gridcell" className="time" title={hint ?? formatUtc(ms)}>
      {formatTime(ms)}
    </span>
  );
}
