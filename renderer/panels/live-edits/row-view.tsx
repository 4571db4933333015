import { memo, type ReactElement } from "react";
import type { LiveRow } from "#pipeline/protocol/query-messages.ts";
import { FeedText } from "#renderer/components/feed-text.tsx";
import { formatDuration, formatSigned, formatTime, formatUtc } from "#renderer/components/format.ts";

type Props = {
  readonly row: LiveRow;
  readonly top: number;
  readonly isSelected: boolean;
  readonly onSelect: (offset: number) => void;
  readonly onOpen: (offset: number) => void;
};

function toneOf(bytes: number | null): string {
  if (bytes === null || bytes === 0) return "";
  return bytes > 0 ? "tone-ok" : "tone-bad";
}

function Marks({ row }: { readonly row: LiveRow }): ReactElement {
  return (
    <span className="marks" role="cell">
      {row.late ? (
        <span className="badge late" title="event time below the watermark at its own offset">
          late {formatDuration(row.latenessMs)}
        </span>
      ) : null}
      {row.minor === true ? (
        <span className="badge" title="minor edit">
          minor
        </span>
      ) : null}
      {row.bot ? (
        <span className="badge" title="made by a bot">
          bot
        </span>
      ) : null}
    </span>
  );
}

/** One record; 24 px high whatever its text is. */
export const RowView = memo(function RowView({
  row,
  top,
  isSelected,
  onSelect,
  onOpen,
}: Props): ReactElement {
  const times = `event ${formatUtc(row.eventTimeMs)}\nreceived ${formatUtc(row.receivedTimeMs)}`;
  return (
    <div
      role="row"
      className="row"
      aria-selected={isSelected}
      data-offset={row.logOffset}
      style={{ transform: `translateY(${top}px)` }}
      onMouseDown={() => onSelect(row.logOffset)}
      onDoubleClick={() => onOpen(row.logOffset)}
    >
      <span role="cell" className="time" title={times}>
        {formatTime(row.eventTimeMs)}
      </span>
      <FeedCell text={row.wiki} />
      <span role="cell" className="kind-cell">
        <span className={`kind kind-${row.type === "new" ? "new" : "other"}`}>
          <FeedText text={row.type} />
        </span>
      </span>
      <FeedCell text={row.title} className="title" />
      <FeedCell text={row.user} className="user" />
      <span role="cell" className={`bytes ${toneOf(row.bytesChanged)}`}>
        {row.bytesChanged === null ? "" : formatSigned(row.bytesChanged)}
      </span>
      <Marks row={row} />
    </div>
  );
});

function FeedCell({
  text,
  className = "",
}: {
  readonly text: string | null;
  readonly className?: string;
}): ReactElement {
  return (
    <span role="cell" className={className}>
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
