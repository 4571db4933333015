import type { ReactElement } from "react";
import type { LiveRow } from "#pipeline/protocol/query-messages.ts";
import { FeedText } from "#renderer/components/feed-text.tsx";
import { formatDuration, formatSigned, formatUtc } from "#renderer/components/format.ts";
import { FeedCell, TimeCell } from "#renderer/components/row-grid/cells.tsx";
import type { GridColumn } from "#renderer/components/row-grid/columns.ts";

/** Columns of Live edits, in the order of {@link liveCells}. None can be sorted by: the window is a stretch of offsets. */
export const LIVE_COLUMNS: readonly GridColumn[] = [
  { id: "time", label: "time", hint: "event time", track: "60px", minPx: 48 },
  { id: "wiki", label: "wiki", track: "minmax(56px, 0.9fr)", minPx: 48 },
  { id: "kind", label: "kind", track: "84px", minPx: 56 },
  { id: "title", label: "title", track: "minmax(120px, 3.4fr)", minPx: 96 },
  { id: "user", label: "user", track: "minmax(72px, 1.2fr)", minPx: 56 },
  {
    id: "bytes",
    label: "± bytes",
    hint: "length after − before",
    track: "64px",
    minPx: 56,
    align: "right",
  },
  { id: "marks", label: "marks", hint: "late, minor, bot", track: "minmax(104px, 0.8fr)", minPx: 64 },
];

function toneOf(bytes: number | null): string {
  if (bytes === null || bytes === 0) return "";
  return bytes > 0 ? "tone-ok" : "tone-bad";
}

function Marks({ row }: { readonly row: LiveRow }): ReactElement {
  return (
    <span className="marks" role="gridcell">
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

/** Cells of one edit. */
export function liveCells(row: LiveRow): ReactElement {
  const times = `event ${formatUtc(row.eventTimeMs)}\nreceived ${formatUtc(row.receivedTimeMs)}`;
  return (
    <>
      <TimeCell ms={row.eventTimeMs} hint={times} />
      <FeedCell text={row.wiki} />
      <span role="gridcell" className="kind-cell">
        <span className={`kind kind-${row.type === "new" ? "new" : "other"}`}>
          <FeedText text={row.type} />
        </span>
      </span>
      <FeedCell text={row.title} className="title" />
      <FeedCell text={row.user} className="user" />
      <span role="gridcell" className={`number ${toneOf(row.bytesChanged)}`}>
        {row.bytesChanged === null ? "" : formatSigned(row.bytesChanged)}
      </span>
      <Marks row={row} />
    </>
  );
}
