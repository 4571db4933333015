import type { ReactElement } from "react";
import { useStore } from "zustand";
import { FeedText } from "#renderer/components/feed-text.tsx";
import { formatDuration, formatTime, formatUtc } from "#renderer/components/format.ts";
import { useAppStores, useStatus } from "#renderer/stores/app-stores.ts";
import { LedgerFact, RoomFact } from "../record-room/room-facts.tsx";
import { RoomView } from "../record-room/room-view.tsx";
import type { LateRow } from "./late-arrivals-plan.ts";
import { LatenessChart } from "./lateness-chart.tsx";

const COLUMNS = ["event", "received", "watermark", "late by", "wiki", "title", "user"] as const;
const WHEN_EMPTY =
  "Rows whose event time was below the watermark at their own offset will be here. The lake has none yet.";

function TimeCell({ ms }: { readonly ms: number }): ReactElement {
  return (
    <span role="cell" className="time" title={formatUtc(ms)}>
      {formatTime(ms)}
    </span>
  );
}

function MaybeText({ text }: { readonly text: string | null }): ReactElement {
  return text === null ? (
    <span className="absent" title="the record does not say">
      —
    </span>
  ) : (
    <FeedText text={text} />
  );
}

function lateCells(row: LateRow): ReactElement {
  return (
    <>
      <TimeCell ms={row.eventTimeMs} />
      <TimeCell ms={row.receivedTimeMs} />
      <TimeCell ms={row.watermarkMs} />
      <span role="cell" className="late-by" title="watermark at its offset − event time">
        {formatDuration(row.lateByMs)}
      </span>
      <span role="cell">
        <FeedText text={row.wiki} />
      </span>
      <span role="cell" className="title">
        <MaybeText text={row.title} />
      </span>
      <span role="cell" className="user">
        <MaybeText text={row.user} />
      </span>
    </>
  );
}

/** The watermark of the newest commit; the rows below are compared with the one at their own offset. */
function WatermarkNow(): ReactElement {
  const watermarkMs = useStatus(({ status }) => status?.pipeline?.watermarkMs ?? null);
  return (
    <RoomFact
      name="watermark now"
      value={watermarkMs === null ? "none yet" : formatTime(watermarkMs)}
      hint={watermarkMs === null ? "no event has set it" : formatUtc(watermarkMs)}
    />
  );
}

/** Rows that came after the watermark had passed their event time, and how late rows are in all. */
export function LateArrivalsPanel(): ReactElement {
  const { lateArrivals } = useAppStores();
  const answer = useStore(lateArrivals.store, (state) => state.answer);
  const { count = 0, largestMs = null, buckets = [] } = answer?.facts ?? {};
  return (
    <RoomView
      room={lateArrivals}
      panel="late-arrivals"
      name="Late arrivals"
      columns={COLUMNS}
      cells={lateCells}
      total={count}
      whenEmpty={WHEN_EMPTY}
    >
      <div className="room-head">
        <div className="room-facts">
          <LedgerFact
            name="late arrivals"
            count={count}
            inLedger={answer?.ledger["late"]}
            snapshotId={answer?.snapshotId ?? 0}
          />
          <RoomFact
            name="the latest is late by"
            value={largestMs === null ? "—" : formatDuration(largestMs)}
          />
          <WatermarkNow />
        </div>
        <LatenessChart buckets={buckets} />
      </div>
    </RoomView>
  );
}
